package io.uniserve.runtime.server.load;

import java.util.ArrayDeque;
import java.util.Deque;

/** The growth rate of counters over a sliding window, for each second. For one thread. */
final class Rates {
  private static final double NANOS_PER_SECOND = 1e9;

  private final int samplesMax;
  private final Deque<Sample> samples = new ArrayDeque<>();

  /**
   * The counters at one moment.
   *
   * @param atNanos the moment
   * @param counters each never falls, unless its source was restarted
   */
  private record Sample(long atNanos, double[] counters) {
    boolean follows(Sample before) {
      for (int i = 0; i < counters.length; i++) {
        if (counters[i] < before.counters[i]) {
          return false;
        }
      }
      return true;
    }
  }

  /**
   * @param steps the number of samples that a window has after the first
   */
  Rates(int steps) {
    samplesMax = steps + 1;
  }

  /** Adds the counters of this moment; returns the growth of each for each second. */
  double[] sample(long nowNanos, double... counters) {
    Sample now = new Sample(nowNanos, counters);
    if (!samples.isEmpty() && !now.follows(samples.getLast())) {
      samples.clear();
    }
    samples.addLast(now);
    if (samples.size() > samplesMax) {
      samples.removeFirst();
    }
    Sample first = samples.getFirst();
    double seconds = (nowNanos - first.atNanos()) / NANOS_PER_SECOND;
    double[] rates = new double[counters.length];
    for (int i = 0; i < rates.length && seconds > 0; i++) {
      rates[i] = (counters[i] - first.counters()[i]) / seconds;
    }
    return rates;
  }
}
