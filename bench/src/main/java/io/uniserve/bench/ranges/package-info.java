/** Latency of queries over neighbouring actors, as different policies place these (PODP §6). */
package io.uniserve.bench.ranges;
