/**
 * Measurements of operators over many actors without an engine's work: the overhead of a plan of
 * scatter, gather, retrieve and combine, and the throughput of a shuffle between two server
 * processes.
 */
package io.uniserve.bench.operators;
