package io.uniserve.policy.placement;

import io.uniserve.api.error.UniserveException;

/**
 * The settings of {@link Podp}.
 *
 * @param balance the settings that all balancing policies share
 * @param parts the number of sub-problems (POP); 0 for parts that have as many servers as a query
 *     reads actors, as in the paper's experiments (PODP §5.4)
 * @param regroupBelow a share: actors are regrouped into parts by the queries that read them if
 *     queries then read from fewer than this share of the parts that they read from now; 0 for
 *     never, as in the paper
 */
public record PodpSettings(BalanceSettings balance, int parts, double regroupBelow) {
  /**
   * The default: parts of the right size, regrouped if queries then read from a fifth fewer parts.
   */
  public static final PodpSettings DEFAULT = new PodpSettings(BalanceSettings.DEFAULT, 0, 0.8);

  public PodpSettings {
    if (parts < 0) {
      throw UniserveException.invalid(parts + " parts");
    }
    if (!(regroupBelow >= 0 && regroupBelow <= 1)) {
      throw UniserveException.invalid("regroupBelow " + regroupBelow + " is not in [0, 1]");
    }
  }

  /** Returns these settings with another number of parts. */
  public PodpSettings withParts(int other) {
    return new PodpSettings(balance, other, regroupBelow);
  }

  /** Returns these settings with other balance settings. */
  public PodpSettings withBalance(BalanceSettings other) {
    return new PodpSettings(other, parts, regroupBelow);
  }
}
