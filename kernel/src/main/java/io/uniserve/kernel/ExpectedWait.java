package io.uniserve.kernel;

/**
 * How long waits of one kind have lately taken: the mean of the last few, where none counts for
 * more than half a millisecond, so that one rest is forgotten after a few short waits. For any
 * thread; what one forgets of another's wait does no harm.
 */
public final class ExpectedWait {
  private static final long COUNTS_NANOS_MAX = 500_000;

  private volatile long nanos = COUNTS_NANOS_MAX;

  /** A wait has ended after so long. */
  public void took(long waitNanos) {
    nanos += (Math.min(waitNanos, COUNTS_NANOS_MAX) - nanos) / 8;
  }

  /** The mean; half a millisecond while nothing is known. */
  public long nanos() {
    return nanos;
  }
}
