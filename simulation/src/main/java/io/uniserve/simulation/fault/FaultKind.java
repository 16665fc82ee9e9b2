package io.uniserve.simulation.fault;

/** The kinds of faults. */
public enum FaultKind {
  /** A process ends without warning and is started again later. */
  CRASH,
  /**
   * Most processes end at the same moment, and are started again one after another: a {@link
   * #CRASH} of each.
   */
  OUTAGE,
  /**
   * A machine loses power, and its disk everything that was not forced; the process is started
   * again later.
   */
  POWER_FAILURE,
  /** A machine is replaced by one with an empty disk. */
  DISK_LOSS,
  /** A process stands still, longer than its peers are willing to wait. */
  PAUSE,
  /** A machine is suspended: its process stands still, and so does its monotonic clock. */
  SUSPENSION,
  /** No message from one process reaches another. */
  ONE_WAY_CUT,
  /** Two groups of processes do not reach each other. */
  PARTITION,
  /** Two servers do not reach each other, though all others reach both. */
  SERVERS_APART,
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
  CLOCK_DRIFT,
  /** Some writes to a disk fail, and leave nothing. */
  FAILED_WRITES,
  /** Some reads of logs fail. */
  FAILED_READS,
  /** Some forces fail: everything not forced by then is lost, and later forces do not tell. */
  FAILED_FORCES,
  /** One bit of a log or a checkpoint changes. */
  FLIPPED_BIT,
  /** A sector of a log or a checkpoint was never written. */
  LOST_WRITE,
  /** A sector of a log or a checkpoint was overwritten with one of another file. */
  MISDIRECTED_WRITE,
  /**
   * A process ends, and one bit of a log changes before it is started again. A sound entry follows,
   * so that no crash explains the damage.
   */
  ROT_WHILE_DOWN,
  /** Engine code of a process fails now and then, before or after it did what it was asked. */
  FAILING_ENGINE,
  /**
   * One bit changes of a log, a snapshot or the votes of a controller, where no crash explains it.
   * The controller reads it when it is started the next time.
   */
  ROT_AT_REST;

  /**
   * Returns whether a disk may lose data that it promised to keep; only the disk of one copy of an
   * actor may.
   */
  public boolean damages() {
    return this == FAILED_FORCES || rots();
  }

  /** Returns whether a disk fails to do a request, or to keep what it took. */
  public boolean failsDisk() {
    return this == FAILED_WRITES || this == FAILED_READS || damages();
  }

  /** Returns whether the contents of a disk change silently. */
  public boolean rots() {
    return this == FLIPPED_BIT
        || this == LOST_WRITE
        || this == MISDIRECTED_WRITE
        || this == ROT_WHILE_DOWN
        || this == ROT_AT_REST;
  }

  /** Returns whether the victim does nothing while it lasts. */
  boolean takesDown() {
    return this == CRASH
        || this == OUTAGE
        || this == POWER_FAILURE
        || this == DISK_LOSS
        || this == PAUSE
        || this == SUSPENSION
        || this == ROT_WHILE_DOWN;
  }
}
