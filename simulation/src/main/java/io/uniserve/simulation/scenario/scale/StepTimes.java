package io.uniserve.simulation.scenario.scale;

import java.util.Locale;

/**
 * The real CPU time of a thread's steps, between two waits: a histogram whose bounds lie a tenth
 * apart.
 */
final class StepTimes {
  private static final double RATIO = 1.1;
  private static final int BUCKETS = 280;

  private final long[] counts = new long[BUCKETS];
  private long steps;
  private long nanos;
  private long most;

  void add(long taken) {
    int bucket = (int) (Math.log(Math.max(1, taken)) / Math.log(RATIO));
    counts[Math.min(BUCKETS - 1, bucket)]++;
    steps++;
    nanos += taken;
    most = Math.max(most, taken);
  }

  double seconds() {
    return nanos / 1e9;
  }

  /** Returns the time below which this share of the steps stays, in milliseconds. */
  double millis(double share) {
    long below = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      below += counts[bucket];
      if (below >= share * steps) {
        return Math.min(most, Math.pow(RATIO, bucket + 1)) / 1e6;
      }
    }
    return most / 1e6;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "%.1f s of CPU in %d steps; median %.2f ms, 99%% below %.1f ms, 99.99%% below %.1f ms,"
            + " longest %.0f ms",
        seconds(),
        steps,
        millis(0.5),
        millis(0.99),
        millis(0.9999),
        most / 1e6);
  }
}
