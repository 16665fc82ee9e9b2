package io.uniserve.runtime.server.engine;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.concurrent.locks.ReentrantLock;

/** The durations of the latest operators, waiting time included. */
final class OperatorTimes {
  /** The largest number of operators that are remembered; the latest count. */
  static final int OPERATORS_MAX = 4_096;

  /** The percentile that is reported. */
  private static final double SHARE = 0.99;

  private final ReentrantLock lock = new ReentrantLock();
  private final long[] endNanos = new long[OPERATORS_MAX];
  private final long[] tookNanos = new long[OPERATORS_MAX];
  private int next;
  private int known;

  void took(long itsEndNanos, long nanos) {
    lock.lock();
    try {
      endNanos[next] = itsEndNanos;
      tookNanos[next] = nanos;
      next = (next + 1) % OPERATORS_MAX;
      known = Math.min(OPERATORS_MAX, known + 1);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the 99th percentile of the duration of operators that ended since a moment; empty if
   * none did.
   */
  OptionalDouble slowestHundredthMillis(long sinceNanos) {
    long[] latest = new long[OPERATORS_MAX];
    int count = 0;
    lock.lock();
    try {
      for (int i = 0; i < known; i++) {
        if (endNanos[i] - sinceNanos >= 0) {
          latest[count++] = tookNanos[i];
        }
      }
    } finally {
      lock.unlock();
    }
    Arrays.sort(latest, 0, count);
    return count == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(latest[(int) Math.min(count - 1, (long) (SHARE * count))] / 1e6);
  }
}
