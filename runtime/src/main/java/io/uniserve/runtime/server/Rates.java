package io.uniserve.runtime.server;

import java.util.ArrayDeque;
import java.util.Deque;

/** What counters have grown by, a second, over a sliding window. For one thread. */
final class Rates {
  private static final double NANOS_PER_SECOND = 1e9;

  private final int samplesMax;
  private final Deque<Sample> samples = new ArrayDeque<>();

  /**
   * Counters at one moment.
   *
   * @param atNanos when
   * @param counters each never falls, unless what it counts began anew
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
   * @param steps how many samples after the first a window has
   */
  Rates(int steps) {
    samplesMax = steps + 1;
  }

  /** Takes the counters of this moment; returns the growth of each, a second. */
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
