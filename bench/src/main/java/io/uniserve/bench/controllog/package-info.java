/** The control log on three router processes: throughput, latency and elections. */
package io.uniserve.bench.controllog;
