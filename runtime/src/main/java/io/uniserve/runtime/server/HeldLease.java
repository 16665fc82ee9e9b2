package io.uniserve.runtime.server;

import java.time.Duration;
import java.time.Instant;

/**
 * The end of a lease, by both clocks. The monotonic one stands still while the machine is
 * suspended; the time of day does not, or is set afterwards. That this one may be set back gives
 * nobody a longer lease, and if it is set forward the next heartbeat renews the lease.
 *
 * @param endsAtNanos by the monotonic clock
 * @param endsAt by the time of day
 */
record HeldLease(long endsAtNanos, Instant endsAt) {
  /** A lease that begins at a moment. */
  static HeldLease from(long nanos, Instant time, Duration duration) {
    return new HeldLease(nanos + duration.toNanos(), time.plus(duration));
  }

  /** Tells whether it is over at a moment, by either clock. */
  boolean isOverAt(long nanos, Instant time) {
    return endsAtNanos - nanos <= 0 || !time.isBefore(endsAt);
  }
}
