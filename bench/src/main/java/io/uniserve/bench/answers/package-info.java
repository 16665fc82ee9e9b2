/** Answers of different systems to the same query, and whether they are the same. */
package io.uniserve.bench.answers;
