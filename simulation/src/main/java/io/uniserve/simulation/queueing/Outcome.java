package io.uniserve.simulation.queueing;

import java.util.List;

/**
 * What a run gave.
 *
 * @param latencies of all queries in ticks, ascending
 * @param queueSizesByServer of each server
 */
public record Outcome(int[] latencies, List<QueueSizes> queueSizesByServer) {
  /** What the published experiments take a tick for. */
  public static final double MILLIS_PER_TICK = 0.2;

  /** The queues of all servers together. */
  public QueueSizes queueSizes() {
    return QueueSizes.sum(queueSizesByServer);
  }

  /** The latency at floor(n × percent / 100) of all in order, in milliseconds. */
  public double latencyMillis(double percent) {
    int place = (int) Math.min(latencies.length - 1L, (long) (latencies.length * percent / 100));
    return latencies[place] * MILLIS_PER_TICK;
  }
}
