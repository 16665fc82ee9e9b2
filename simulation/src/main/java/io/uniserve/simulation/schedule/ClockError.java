package io.uniserve.simulation.schedule;

import java.time.Duration;

/** The error of a process's clock, which may change while the process runs. */
public final class ClockError {
  private final long origin;
  private long anchorSimulated;
  private long anchorLocal;
  private double rate = 1;
  private Duration skew = Duration.ZERO;

  /**
   * @param origin the monotonic clock's value at the start of the simulation, in nanoseconds
   */
  public ClockError(long origin) {
    this.origin = origin;
    anchorLocal = origin;
  }

  /** Sets the time of day off by a duration. */
  public void skew(Duration newSkew) {
    skew = newSkew;
  }

  /**
   * Lets the clock run faster or slower from now on.
   *
   * @param nowSimulated simulated nanoseconds
   * @param newRate local seconds for each simulated one, above 0
   */
  public void rate(long nowSimulated, double newRate) {
    anchorLocal = local(nowSimulated);
    anchorSimulated = nowSimulated;
    rate = newRate;
  }

  /**
   * Notes that the monotonic clock has stood still for a while, as that of a suspended machine
   * does; the time of day has not.
   *
   * @param nanos the time that it lasts, in simulated nanoseconds
   */
  public void stoodStill(long nanos) {
    anchorLocal -= (long) (nanos * rate);
    skew = skew.plusNanos(nanos);
  }

  Duration skew() {
    return skew;
  }

  long sinceOrigin(long simulated) {
    return local(simulated) - origin;
  }

  long local(long simulated) {
    return anchorLocal + (long) ((simulated - anchorSimulated) * rate);
  }

  /**
   * Returns simulated time, rounded up, so that a thread that wakes then sees the local time
   * reached.
   */
  long simulated(long localNanos) {
    return rate == 1 ? localNanos : (long) Math.ceil(localNanos / rate) + 1;
  }
}
