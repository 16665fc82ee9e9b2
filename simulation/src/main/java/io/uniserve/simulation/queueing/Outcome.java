package io.uniserve.simulation.queueing;

/**
 * What a run gave.
 *
 * @param latencies of all queries in ticks, ascending
 * @param queueSizes of all servers
 */
public record Outcome(int[] latencies, QueueSizes queueSizes) {
  /** What the published experiments take a tick for. */
  public static final double MILLIS_PER_TICK = 0.2;

  /** The latency at floor(n × percent / 100) of all in order, in milliseconds. */
  public double latencyMillis(double percent) {
    int place = (int) Math.min(latencies.length - 1L, (long) (latencies.length * percent / 100));
    return latencies[place] * MILLIS_PER_TICK;
  }
}
