package io.uniserve.runtime.server;

import java.util.Arrays;
import java.util.OptionalDouble;
import java.util.concurrent.locks.ReentrantLock;

/** How long the latest operators took, from when they were to run until they had. */
final class OperatorTimes {
  /** Of a server that runs more within a window, the latest count. */
  static final int OPERATORS_MAX = 4_096;

  /** The slowest hundredth is told. */
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

  /** What 99 of 100 of those that ended since then stayed below; empty if none did. */
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
