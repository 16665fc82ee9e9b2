package io.uniserve.runtime.client.plan;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.time.Duration;

/**
 * The time for which no copy of an actor could answer: their servers are not reached, they are
 * being opened, or the client has not heard of others yet. That is a matter of time, however often
 * one asks. For one thread at a time.
 */
public final class Absence {
  private static final int PAUSE_DOUBLINGS_MAX = 5;

  private boolean absent;
  private long sinceNanos;
  private int rounds;

  /** Notes a failure; returns true if it says that a copy is not there to answer. */
  public boolean failed(UniserveException failure, long nowNanos) {
    boolean now =
        failure.code() == ErrorCode.STALE_ROUTING || failure.code() == ErrorCode.UNAVAILABLE;
    if (now && !absent) {
      sinceNanos = nowNanos;
    }
    absent = now;
    return now;
  }

  /** Returns whether all failures have said that for longer than this. */
  public boolean longerThan(Duration most, long nowNanos) {
    return absent && nowNanos - sinceNanos > most.toNanos();
  }

  /** Notes that all copies have been asked, or none is left to ask. */
  public void triedAll() {
    rounds++;
  }

  /**
   * Returns the pause before the copies are asked anew, which doubles each time up to a limit.
   *
   * @param first the first pause
   */
  public long pauseNanos(Duration first) {
    return first.toNanos() << Math.min(Math.max(0, rounds - 1), PAUSE_DOUBLINGS_MAX);
  }
}
