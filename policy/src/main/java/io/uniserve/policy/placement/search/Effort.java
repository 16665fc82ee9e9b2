package io.uniserve.policy.placement.search;

import java.util.function.LongSupplier;

/**
 * How much a search may still try: a number of steps, and a time that is asked for now and then.
 * Without a limit of time the outcome depends on the input alone.
 */
public final class Effort {
  private static final int STEPS_BETWEEN_LOOKS = 128;

  private final LongSupplier millisLeft;
  private long steps;

  /**
   * @param steps how many steps at most
   * @param millisLeft the time left
   */
  public Effort(long steps, LongSupplier millisLeft) {
    this.steps = steps;
    this.millisLeft = millisLeft;
  }

  /** Takes one step; false if there is none left. */
  public boolean step() {
    if (steps > 0 && steps % STEPS_BETWEEN_LOOKS == 0 && millisLeft.getAsLong() <= 0) {
      steps = 0;
    }
    return steps-- > 0;
  }
}
