package io.uniserve.runtime.server.membership;

import java.time.Duration;
import java.time.Instant;

/**
 * The end of a lease, by two clocks. The monotonic clock stands still while the machine is
 * suspended. The time of day does not stand still, but can be set. The lease ends when either clock
 * says so, and when the time of day shows that it was set back, since it does not tell then how
 * long the machine was suspended. The next heartbeat renews the lease.
 *
 * @param endsAtNanos the end, by the monotonic clock
 * @param endsAt the end, by the time of day
 * @param slackMillis the difference between the clocks that drift alone may make within the lease
 */
record HeldLease(long endsAtNanos, Instant endsAt, long slackMillis) {
  private static final int SLACK_SHARE = 10;
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** Creates a lease that begins at a moment. */
  static HeldLease from(long nanos, Instant time, Duration duration) {
    return new HeldLease(
        nanos + duration.toNanos(), time.plus(duration), duration.toMillis() / SLACK_SHARE);
  }

  /** Returns whether the lease has ended at a moment, by either clock. */
  boolean isOverAt(long nanos, Instant time) {
    long left = endsAtNanos - nanos;
    if (left <= 0 || !time.isBefore(endsAt)) {
      return true;
    }
    long leftOfDayMillis = endsAt.toEpochMilli() - time.toEpochMilli();
    return leftOfDayMillis > left / NANOS_PER_MILLI + slackMillis;
  }
}
