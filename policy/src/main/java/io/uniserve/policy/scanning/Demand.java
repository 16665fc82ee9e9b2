package io.uniserve.policy.scanning;

/**
 * The recent paces of a scan: those since {@code old}, which is one to two spans ago.
 *
 * @param youngSeconds the time of the younger moment
 */
record Demand(Pace old, Pace young, double youngSeconds) {
  static Demand from(double seconds) {
    return new Demand(Pace.UNKNOWN, Pace.UNKNOWN, seconds);
  }

  /** Returns the same as of a later moment. */
  Demand at(Observation now, double spanSeconds) {
    return now.seconds() - youngSeconds >= spanSeconds
        ? new Demand(young, now.pace(), now.seconds())
        : this;
  }

  /** Returns how many slots keep the client busy; NaN if that is not known. */
  double slots(Observation now) {
    return now.pace().slotsSince(old);
  }
}
