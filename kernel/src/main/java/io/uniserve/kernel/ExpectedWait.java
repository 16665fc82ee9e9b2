package io.uniserve.kernel;

/**
 * A moving average of the duration of recent waits of one kind. No wait counts for more than half a
 * millisecond, so a few short waits outweigh one long idle time. Many threads may use it. A lost
 * update between threads does no harm.
 */
public final class ExpectedWait {
  private static final long COUNTS_NANOS_MAX = 500_000;

  private volatile long nanos = COUNTS_NANOS_MAX;

  /** Records the duration of a wait that has ended. */
  public void took(long waitNanos) {
    nanos += (Math.min(waitNanos, COUNTS_NANOS_MAX) - nanos) / 8;
  }

  /** Returns the average; half a millisecond before the first wait. */
  public long nanos() {
    return nanos;
  }
}
