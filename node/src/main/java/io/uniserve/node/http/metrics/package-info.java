/** Metrics for Prometheus and for the console. */
package io.uniserve.node.http.metrics;
