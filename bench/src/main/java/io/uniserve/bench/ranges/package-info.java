/** Latency of queries over adjacent actors under different placement policies (PODP §6). */
package io.uniserve.bench.ranges;
