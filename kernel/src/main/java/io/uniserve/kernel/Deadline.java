package io.uniserve.kernel;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;

/**
 * A point in time on one process's monotonic clock. Between processes a deadline is sent as the
 * time that remains.
 *
 * @param nanos the reading of {@link Clock#nanos()} at that point
 */
public record Deadline(long nanos) {
  /** The longest time that anything waits. */
  public static final Duration LONGEST = Duration.ofDays(1);

  /** Makes a deadline after a time from now, which is limited to {@link #LONGEST}. */
  public static Deadline after(Clock clock, Duration duration) {
    Duration bounded = duration.compareTo(LONGEST) > 0 ? LONGEST : duration;
    return new Deadline(clock.nanos() + bounded.toNanos());
  }

  /** Returns the nanoseconds that remain; negative once the deadline has passed. */
  public long remainingNanos(Clock clock) {
    return nanos - clock.nanos();
  }

  /** Returns the time that remains; zero once the deadline has passed. */
  public Duration remaining(Clock clock) {
    return Duration.ofNanos(Math.max(0, remainingNanos(clock)));
  }

  /** Returns whether the deadline has passed. */
  public boolean expired(Clock clock) {
    return remainingNanos(clock) <= 0;
  }

  /** Returns the earlier of both. */
  public Deadline earlier(Deadline other) {
    return nanos - other.nanos <= 0 ? this : other;
  }

  /**
   * Checks that the deadline has not passed.
   *
   * @param what the activity, for the message
   * @throws UniserveException with {@link ErrorCode#DEADLINE_EXCEEDED} if it has
   */
  public void check(Clock clock, String what) {
    if (expired(clock)) {
      throw new UniserveException(ErrorCode.DEADLINE_EXCEEDED, what + ": the deadline has passed");
    }
  }
}
