/**
 * The loading benchmark: the number of documents per second that a system indexes, beside bare
 * index writers that get the same documents from the same number of threads. Every pass starts with
 * an empty index and ends when all documents are on disk and can be found.
 */
package io.uniserve.bench.loading;
