package io.uniserve.kernel.production;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Waits that begin awake. The system takes 20 to 30 µs to wake a thread, many times what the
 * shortest queries take. So a thread stays awake for a moment, and for longer where what it waits
 * for has lately come sooner than it would be woken, but then only as long as it keeps no other
 * thread of this JVM that is known to compute from a processor.
 */
final class Awake {
  /** What takes longer to come is waited for asleep. */
  static final long SOON_NANOS = 60_000;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** About 8 µs, if there is a processor on which it could come meanwhile. */
  private static final int SPINS = PROCESSORS > 1 ? 200 : 0;

  private static final int SPINS_PER_LOOK = 20;

  /** Threads that compute, and those that wait awake for longer than a moment. */
  private static final AtomicInteger USING_PROCESSORS = new AtomicInteger();

  private Awake() {}

  /** The calling thread computes until {@link #computed}. */
  static void computes() {
    USING_PROCESSORS.incrementAndGet();
  }

  static void computed() {
    USING_PROCESSORS.decrementAndGet();
  }

  /**
   * Waits for something without going to sleep.
   *
   * @param coming what is waited for, or null while it is not there
   * @param expectedNanos how long such waits have lately taken
   * @return null if it did not come in time: the caller goes to sleep
   */
  static <T> T await(Supplier<T> coming, long expectedNanos) {
    T there = spin(coming, SPINS);
    return there == null && PROCESSORS > 1 && expectedNanos <= SOON_NANOS
        ? awaitOnSpareProcessor(coming)
        : there;
  }

  private static <T> T awaitOnSpareProcessor(Supplier<T> coming) {
    long beganNanos = System.nanoTime();
    USING_PROCESSORS.incrementAndGet();
    try {
      T there = null;
      while (there == null
          && USING_PROCESSORS.get() <= PROCESSORS
          && System.nanoTime() - beganNanos < SOON_NANOS) {
        there = spin(coming, SPINS_PER_LOOK);
      }
      return there;
    } finally {
      USING_PROCESSORS.decrementAndGet();
    }
  }

  private static <T> T spin(Supplier<T> coming, int times) {
    for (int i = 0; i < times; i++) {
      T there = coming.get();
      if (there != null) {
        return there;
      }
      Thread.onSpinWait();
    }
    return null;
  }
}
