package io.uniserve.policy.scanning;

import io.uniserve.api.error.UniserveException;

/**
 * A scan that waits for a slot which it can use, below its desired parallelism. Times are spans, so
 * that it can travel between machines whose clocks differ.
 *
 * @param scan its number; the lower is preferred where all else is equal
 * @param ageSeconds the time since it arrived
 * @param idleSeconds the time for which it has held no slot anywhere; 0 while it holds one
 * @param ungrantedSeconds the time since it was last granted a slot, or since it arrived
 * @param priority P(q), above 0, less is more urgent: given from outside, or the least time in
 *     which it can end ({@link Makespans#minimumCompletionSeconds})
 */
public record WaitingScan(
    long scan, double ageSeconds, double idleSeconds, double ungrantedSeconds, double priority) {

  /** Checks the values. */
  public WaitingScan {
    requireSpan("age", ageSeconds);
    requireSpan("idle time", idleSeconds);
    requireSpan("time since the last grant", ungrantedSeconds);
    if (!(priority > 0) || Double.isInfinite(priority)) {
      throw UniserveException.invalid(
          "the priority value of a scan must be a number above 0, not " + priority);
    }
  }

  private static void requireSpan(String name, double seconds) {
    if (!(seconds >= 0) || Double.isInfinite(seconds)) {
      throw UniserveException.invalid("the " + name + " of a scan cannot be " + seconds + " s");
    }
  }

  /** Returns the same scan after it has waited for some more time. */
  public WaitingScan after(double seconds) {
    return new WaitingScan(
        scan,
        ageSeconds + seconds,
        idleSeconds > 0 ? idleSeconds + seconds : 0,
        ungrantedSeconds + seconds,
        priority);
  }
}
