package io.uniserve.policy.placement;

import io.uniserve.api.error.UniserveException;

/**
 * The settings that all balancing policies share.
 *
 * @param loadTolerance ε, the allowed distance of a server's load from the mean, as a share of the
 *     mean
 * @param millisMax the longest time that a decision may take, in milliseconds
 * @param seed decides among assignments that are equally good
 */
public record BalanceSettings(double loadTolerance, long millisMax, long seed) {
  /** The default: 5 % as in the PODP paper, and four seconds. */
  public static final BalanceSettings DEFAULT = new BalanceSettings(0.05, 4_000, 1);

  public BalanceSettings {
    if (!(loadTolerance >= 0 && loadTolerance < 1)) {
      throw UniserveException.invalid("load tolerance " + loadTolerance + " is not in [0, 1)");
    }
    if (millisMax < 0) {
      throw UniserveException.invalid("a decision cannot take " + millisMax + " ms");
    }
  }

  /** Returns these settings with another seed. */
  public BalanceSettings withSeed(long other) {
    return new BalanceSettings(loadTolerance, millisMax, other);
  }

  /** Returns these settings with another time limit. */
  public BalanceSettings withMillisMax(long other) {
    return new BalanceSettings(loadTolerance, other, seed);
  }
}
