package io.uniserve.simulation;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * The number that a whole run follows from.
 *
 * @param value any
 */
public record Seed(long value) {
  /**
   * Returns a stream of random numbers for one purpose, so that the draws of one part do not change
   * those of another.
   */
  public RandomGenerator random(String purpose) {
    long mixed = value * 0x9e3779b97f4a7c15L;
    for (int i = 0; i < purpose.length(); i++) {
      mixed = (mixed ^ purpose.charAt(i)) * 0x100000001b3L;
    }
    return new SplittableRandom(mixed ^ mixed >>> 29);
  }
}
