package io.uniserve.policy.placement.search;

import java.util.function.LongSupplier;

/**
 * The effort that a search may still spend: a number of steps, and a time that is checked now and
 * then. Without a time limit the outcome depends on the input alone.
 */
public final class Effort {
  private static final int STEPS_BETWEEN_LOOKS = 128;

  private final LongSupplier millisLeft;
  private long steps;

  /**
   * Makes an effort.
   *
   * @param steps the greatest number of steps
   * @param millisLeft returns the time that is left
   */
  public Effort(long steps, LongSupplier millisLeft) {
    this.steps = steps;
    this.millisLeft = millisLeft;
  }

  /** Takes one step; returns false if none is left. */
  public boolean step() {
    if (steps > 0 && steps % STEPS_BETWEEN_LOOKS == 0 && millisLeft.getAsLong() <= 0) {
      steps = 0;
    }
    return steps-- > 0;
  }
}
