package io.uniserve.runtime.server.membership;

import java.time.Duration;
import java.time.Instant;

/**
 * The end of a lease, by two clocks. The monotonic clock stands still while the machine is
 * suspended. The time of day does not stand still, or is corrected afterwards. The lease ends when
 * either clock says so. If the time of day is set back, the monotonic clock still ends the lease;
 * if it is set forward, the next heartbeat renews the lease.
 *
 * @param endsAtNanos the end, by the monotonic clock
 * @param endsAt the end, by the time of day
 */
record HeldLease(long endsAtNanos, Instant endsAt) {
  /** Creates a lease that begins at a moment. */
  static HeldLease from(long nanos, Instant time, Duration duration) {
    return new HeldLease(nanos + duration.toNanos(), time.plus(duration));
  }

  /** Returns whether the lease has ended at a moment, by either clock. */
  boolean isOverAt(long nanos, Instant time) {
    return endsAtNanos - nanos <= 0 || !time.isBefore(endsAt);
  }
}
