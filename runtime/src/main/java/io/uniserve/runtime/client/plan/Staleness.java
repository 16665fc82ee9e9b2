package io.uniserve.runtime.client.plan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;

/**
 * The time for which the copies of an actor have said that they cannot be read yet, or any more:
 * they are being opened, or the client has not heard of others yet. That is a matter of time,
 * however often one asks. For one thread at a time.
 */
public final class Staleness {
  private boolean stale;
  private long sinceNanos;

  /** Notes a failure; returns true if it says that a copy cannot be read. */
  public boolean failed(UniserveException failure, long nowNanos) {
    boolean now = failure.code() == ErrorCode.STALE_ROUTING;
    if (now && !stale) {
      sinceNanos = nowNanos;
    }
    stale = now;
    return now;
  }

  /** Returns whether all failures have said that for longer than this. */
  public boolean longerThan(Duration most, long nowNanos) {
    return stale && nowNanos - sinceNanos > most.toNanos();
  }
}
