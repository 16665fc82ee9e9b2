/** The control log on three controller processes: throughput, latency and elections. */
package io.uniserve.bench.controllog;
