package io.uniserve.kernel;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.time.Duration;

/**
 * A point of one process's monotonic clock. Between processes a deadline travels as the time that
 * remains.
 *
 * @param nanos of {@link Clock#nanos()}
 */
public record Deadline(long nanos) {
  /** The longest time that anything waits. */
  public static final Duration LONGEST = Duration.ofDays(1);

  /** A deadline so much from now, at most {@link #LONGEST}. */
  public static Deadline after(Clock clock, Duration duration) {
    Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    return new Deadline(clock.nanos() + bounded.toNanos());
  }

  /** Nanoseconds left; negative once passed. */
  public long remainingNanos(Clock clock) {
    return nanos - clock.nanos();
  }

  /** Time left; zero once passed. */
  public Duration remaining(Clock clock) {
    return Duration.ofNanos(Math.max(0, remainingNanos(clock)));
  }

  /** Whether it has passed. */
  public boolean expired(Clock clock) {
    return remainingNanos(clock) <= 0;
  }

  /** The earlier of both. */
  public Deadline earlier(Deadline other) {
    return nanos - other.nanos <= 0 ? this : other;
  }

  /**
   * Checks that it has not passed.
   *
   * @param what is done, for the message
   * @throws UniserveException with {@link ErrorCode#DEADLINE_EXCEEDED}
   */
  public void check(Clock clock, String what) {
    if (expired(clock)) {
      throw new UniserveException(ErrorCode.DEADLINE_EXCEEDED, what + ": the deadline has passed");
    }
  }
}
