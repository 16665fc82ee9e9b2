package io.uniserve.policy.scanning;

/** A measurement that has begun, as the counters were then. */
record Window(
    double seconds, double consumed, double deniedSlotSeconds, double doneShare, Pace pace) {
  /**
   * The mean of slots denied above which a rate says nothing about the desired parallelism, since
   * it was not reached.
   */
  private static final double DENIED_MAX = 0.5;

  /** The same as a share of the slots asked for: each is asked for anew between two pages. */
  private static final double DENIED_SHARE_MAX = 0.2;

  static Window at(Observation now) {
    return new Window(
        now.seconds(), now.consumed(), now.deniedSlotSeconds(), now.doneShare(), now.pace());
  }

  Seen seen(Observation now) {
    return new Seen(
        (now.consumed() - consumed) / (now.seconds() - seconds), now.pace().slotRateSince(pace));
  }

  boolean contended(Observation now) {
    double most = Math.max(DENIED_MAX, DENIED_SHARE_MAX * (now.held() + now.denied()));
    return now.deniedSlotSeconds() - deniedSlotSeconds > most * (now.seconds() - seconds);
  }

  /** Returns the share of the work that is done in a second; 0 if no time has passed. */
  double pace(Observation now) {
    double elapsed = now.seconds() - seconds;
    return elapsed > 0 ? (now.doneShare() - doneShare) / elapsed : 0;
  }
}
