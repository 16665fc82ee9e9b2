package io.uniserve.kernel.production;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A brief spin before a thread parks. The system takes 20 to 30 µs to wake a parked thread, many
 * times the duration of the shortest queries. A thread therefore spins for a moment. It spins for
 * longer if recent waits ended sooner than the system would have woken it, but only while it takes
 * no processor from another computing thread of this JVM.
 */
final class AdaptiveSpin {
  /** The longest expected wait, in nanoseconds, for which a thread spins longer than a moment. */
  static final long SOON_NANOS = 60_000;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** The number of spins of the first moment, about 8 µs; none on a machine with one processor. */
  private static final int SPINS = PROCESSORS > 1 ? 200 : 0;

  private static final int SPINS_PER_LOOK = 20;

  /** The number of threads that compute or spin for longer than a moment. */
  private static final AtomicInteger USING_PROCESSORS = new AtomicInteger();

  private AdaptiveSpin() {}

  /** Marks the calling thread as computing, until {@link #computed}. */
  static void computes() {
    USING_PROCESSORS.incrementAndGet();
  }

  static void computed() {
    USING_PROCESSORS.decrementAndGet();
  }

  /**
   * Spins until a value is there.
   *
   * @param coming returns the value, or null while it is not there
   * @param expectedNanos the average duration of such waits
   * @return the value, or null if it did not come in time and the caller should park
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
