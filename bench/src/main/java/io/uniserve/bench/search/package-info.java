/**
 * The search benchmark: several systems answer the same workloads over the same documents, one
 * after the other in every round. Answers are checked before speed is measured.
 */
package io.uniserve.bench.search;
