/**
 * The queries of the Lucene nightly benchmark, and the workloads made of them.
 *
 * <ul>
 *   <li><i>task</i>: one line of the task file, a kind and a text in the notation of that
 *       benchmark.
 *   <li><i>query</i>: a task in the Lucene query syntax, as a user would send it.
 *   <li><i>workload</i>: the queries that one measurement sends over and over.
 * </ul>
 */
package io.uniserve.bench.tasks;
