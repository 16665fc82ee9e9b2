package io.uniserve.runtime.control.raft;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock on which a tick lasts a second, since MicroRaft measures its timeouts in whole seconds.
 * It shows no time of day.
 */
final class RaftTime extends Clock {
  private static final long SECOND = 1_000_000_000L;

  private final io.uniserve.kernel.Clock clock;
  private final long tickNanos;
  private final long origin;

  RaftTime(io.uniserve.kernel.Clock clock, Duration tick) {
    this.clock = clock;
    this.tickNanos = tick.toNanos();
    this.origin = clock.nanos();
  }

  @Override
  public long millis() {
    // It begins with 1, since MicroRaft takes 0 for never.
    return 1 + (long) ((clock.nanos() - origin) * ((double) SECOND / tickNanos) / 1_000_000);
  }

  /** Returns how long a duration on this clock really takes. */
  Duration real(long nanos) {
    return Duration.ofNanos((long) (nanos * ((double) tickNanos / SECOND)));
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("ticks have no time zone");
  }
}
