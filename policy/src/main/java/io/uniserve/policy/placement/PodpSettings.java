package io.uniserve.policy.placement;

import io.uniserve.api.error.UniserveException;

/**
 * Settings of {@link Podp}.
 *
 * @param balance what all policies have
 * @param parts sub-problems (POP); 0 for one for as many servers as a query reads actors, as in the
 *     paper's experiments (PODP §5.4)
 * @param regroupBelow parts are made anew, by which actors are queried together, if queries then
 *     meet fewer than this share of the parts that they meet now; 0 for never, as in the paper
 */
public record PodpSettings(BalanceSettings balance, int parts, double regroupBelow) {
  /** Parts of the right size, regrouped if that saves a fifth of the meetings. */
  public static final PodpSettings DEFAULT = new PodpSettings(BalanceSettings.DEFAULT, 0, 0.8);

  public PodpSettings {
    if (parts < 0) {
      throw UniserveException.invalid(parts + " parts");
    }
    if (!(regroupBelow >= 0 && regroupBelow <= 1)) {
      throw UniserveException.invalid("regroupBelow " + regroupBelow + " is not in [0, 1]");
    }
  }

  /** The same with another number of parts. */
  public PodpSettings withParts(int other) {
    return new PodpSettings(balance, other, regroupBelow);
  }

  /** The same with other settings of balance. */
  public PodpSettings withBalance(BalanceSettings other) {
    return new PodpSettings(other, parts, regroupBelow);
  }
}
