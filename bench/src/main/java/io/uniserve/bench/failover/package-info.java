/**
 * Measurements of what queries notice when a server is killed (DPA §4.3, "query fault tolerance"):
 * in a cluster of real processes, queries run without a pause while servers are killed again and
 * again.
 */
package io.uniserve.bench.failover;
