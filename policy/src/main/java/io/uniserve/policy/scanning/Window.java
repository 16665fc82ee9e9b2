package io.uniserve.policy.scanning;

/** A measurement that has begun, as the counters were then. */
record Window(double seconds, double consumed, double deniedSlotSeconds, double doneShare) {
  /**
   * The mean of slots denied above which a rate says nothing about the desired parallelism, since
   * it was not reached.
   */
  private static final double DENIED_MAX = 0.5;

  static Window at(Observation now) {
    return new Window(now.seconds(), now.consumed(), now.deniedSlotSeconds(), now.doneShare());
  }

  double rate(Observation now) {
    return (now.consumed() - consumed) / (now.seconds() - seconds);
  }

  boolean contended(Observation now) {
    return now.deniedSlotSeconds() - deniedSlotSeconds > DENIED_MAX * (now.seconds() - seconds);
  }

  /** Returns the share of the work that is done in a second; 0 if no time has passed. */
  double pace(Observation now) {
    double elapsed = now.seconds() - seconds;
    return elapsed > 0 ? (now.doneShare() - doneShare) / elapsed : 0;
  }
}
