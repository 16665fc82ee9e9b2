/**
 * Throughput of a cluster whose queries mostly go to one slice of its data (DPA §7.3, figure 9).
 */
package io.uniserve.bench.hotspot;
