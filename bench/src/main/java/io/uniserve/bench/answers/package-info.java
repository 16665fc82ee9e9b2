/** Answers of different systems to the same query, and the check that they are the same. */
package io.uniserve.bench.answers;
