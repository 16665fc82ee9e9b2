package io.uniserve.policy.placement.search;

import java.util.random.RandomGenerator;

/**
 * A generator of pseudo-random numbers from a seed (SplitMix64), so that a policy stays a function
 * of its input.
 */
public final class SeededRandom implements RandomGenerator {
  private static final long STEP = 0x9E3779B97F4A7C15L;
  private long state;

  /** Makes the generator of a seed. */
  public SeededRandom(long seed) {
    state = seed;
  }

  @Override
  public long nextLong() {
    state += STEP;
    return mixed(state);
  }

  /** Returns a rank that orders equals independently of their numbers. */
  public static long rank(long seed, long number) {
    return mixed(mixed(seed + STEP) ^ number * STEP);
  }

  private static long mixed(long value) {
    long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
