package io.uniserve.bench.corpus;

/** One Wikipedia article as the text files hold it. */
record Article(String id, String title, String body) {}
