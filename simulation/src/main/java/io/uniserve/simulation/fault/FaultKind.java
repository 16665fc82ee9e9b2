package io.uniserve.simulation.fault;

/** What can go wrong. */
public enum FaultKind {
  /** A process ends without warning and is started again later. */
  CRASH,
  /**
   * Most processes end at the same moment, and are started again one after another: a {@link
   * #CRASH} of each.
   */
  OUTAGE,
  /**
   * A machine loses power, and its disk what was not forced; the process is started again later.
   */
  POWER_FAILURE,
  /** A machine is replaced by one with an empty disk. */
  DISK_LOSS,
  /** A process stands still, longer than its peers are willing to wait. */
  PAUSE,
  /** A machine is suspended: its process stands still, and so does its monotonic clock. */
  SUSPENSION,
  /** Nothing from one process reaches another. */
  ONE_WAY_CUT,
  /** Two groups of processes do not reach each other. */
  PARTITION,
  /** A share of all messages is lost. */
  MESSAGE_LOSS,
  /** The way between two processes is much slower than the others. */
  SLOW_LINK,
  /** A disk takes much longer than others. */
  SLOW_DISK,
  /** A disk has no room left. */
  FULL_DISK,
  /** A clock shows another time of day. */
  CLOCK_SKEW,
  /** A clock runs too fast or too slow. */
  CLOCK_DRIFT;

  /** Whether the victim does nothing while it lasts. */
  boolean takesDown() {
    return this == CRASH
        || this == OUTAGE
        || this == POWER_FAILURE
        || this == DISK_LOSS
        || this == PAUSE
        || this == SUSPENSION;
  }
}
