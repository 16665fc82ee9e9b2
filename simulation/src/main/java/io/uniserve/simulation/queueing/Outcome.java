package io.uniserve.simulation.queueing;

import java.util.List;

/**
 * The result of a run.
 *
 * @param latencies the latencies of all queries in ticks, ascending
 * @param queueSizesByServer the queue sizes of each server
 */
public record Outcome(int[] latencies, List<QueueSizes> queueSizesByServer) {
  /** The length of a tick in the published experiments, in milliseconds. */
  public static final double MILLIS_PER_TICK = 0.2;

  /** Returns the queues of all servers together. */
  public QueueSizes queueSizes() {
    return QueueSizes.sum(queueSizesByServer);
  }

  /** Returns the latency at floor(n × percent / 100) of all in order, in milliseconds. */
  public double latencyMillis(double percent) {
    int place = (int) Math.min(latencies.length - 1L, (long) (latencies.length * percent / 100));
    return latencies[place] * MILLIS_PER_TICK;
  }
}
