package io.uniserve.runtime.server.engine;

/**
 * An estimate of the time that nine of ten recent pieces of work of one kind take at most. A piece
 * that waits for a processor for once changes it little. Many threads may use it. A lost update
 * between threads does no harm.
 */
public final class UsualTime {
  private static final long FIRST_NANOS = 500_000;

  /** The estimate moves up by nine such parts of itself, or down by one. */
  private static final int PART = 64;

  private volatile long nanos = FIRST_NANOS;

  /** Notes the duration of a piece of work. */
  public void took(long tookNanos) {
    long now = nanos;
    nanos = tookNanos > now ? now + 9 * (now / PART + 1) : now - now / PART;
  }

  /** Returns the estimate; half a millisecond at first. */
  public long nanos() {
    return nanos;
  }
}
