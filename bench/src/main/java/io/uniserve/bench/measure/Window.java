package io.uniserve.bench.measure;

/**
 * The measurements of one window.
 *
 * @param round windows of different systems with the same round were measured next to one another
 * @param latencies the latencies of all queries that ended in the window
 * @param cpu the CPU time over the window
 */
public record Window(int round, Latencies latencies, CpuUse cpu) {

  private static final double NANOS_PER_SECOND = 1e9;

  public double queriesPerSecond() {
    return latencies.count() * NANOS_PER_SECOND / cpu.elapsedNanos();
  }

  /** Returns the CPU time of the server for one query, in nanoseconds. */
  public double serverCpuNanosPerQuery() {
    return (double) cpu.serverCpuNanos() / Math.max(1, latencies.count());
  }
}
