package io.uniserve.policy.placement;

import io.uniserve.api.error.UniserveException;

/**
 * What all balancing policies have in common.
 *
 * @param loadTolerance ε, how far the load of a server may be from the mean, as a share of the mean
 * @param millisMax how long a decision may take, in milliseconds
 * @param seed decides among assignments that are equally good
 */
public record BalanceSettings(double loadTolerance, long millisMax, long seed) {
  /** 5 % as in the PODP paper, and four seconds. */
  public static final BalanceSettings DEFAULT = new BalanceSettings(0.05, 4_000, 1);

  public BalanceSettings {
    if (!(loadTolerance >= 0 && loadTolerance < 1)) {
      throw UniserveException.invalid("load tolerance " + loadTolerance + " is not in [0, 1)");
    }
    if (millisMax < 0) {
      throw UniserveException.invalid("a decision cannot take " + millisMax + " ms");
    }
  }

  /** The same with another seed. */
  public BalanceSettings withSeed(long other) {
    return new BalanceSettings(loadTolerance, millisMax, other);
  }

  /** The same with another limit of time. */
  public BalanceSettings withMillisMax(long other) {
    return new BalanceSettings(loadTolerance, other, seed);
  }
}
