/**
 * What queries notice of a server that is killed (DPA §4.3, "query fault tolerance"): a cluster of
 * real processes, queries without a pause, {@code kill -9}, again and again.
 */
package io.uniserve.bench.failover;
