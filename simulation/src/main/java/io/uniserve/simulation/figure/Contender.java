package io.uniserve.simulation.figure;

import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.BalanceSettings;
import io.uniserve.policy.placement.Getafix;
import io.uniserve.policy.placement.GetafixPlus;
import io.uniserve.policy.placement.NaiveLoadBalancing;
import io.uniserve.policy.placement.Podp;
import io.uniserve.policy.placement.PodpSettings;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.policy.placement.podp.Compute;
import java.util.List;
import java.util.function.LongFunction;

/**
 * A policy in a comparison.
 *
 * @param name the name, as in the paper
 * @param withSeed the policy of a trial
 */
record Contender(String name, LongFunction<PlacementPolicy> withSeed) {
  static final String NLB = "NLB";
  static final String GETAFIX = "Getafix";
  static final String GETAFIX_PLUS = "Getafix+";
  static final String PODP = "PODP";
  static final String STICKY = "PODP, sticky";

  /** Returns naive load balancing. */
  static Contender nlb() {
    return new Contender(
        NLB, seed -> new NaiveLoadBalancing(balance(seed), MilpSolver.none(), Compute.unhurried()));
  }

  static Contender getafix() {
    return new Contender(GETAFIX, seed -> new Getafix(balance(seed)));
  }

  static Contender getafixPlus() {
    return new Contender(GETAFIX_PLUS, seed -> new GetafixPlus(balance(seed)));
  }

  /** Returns PODP with the parts that suit the queries, regrouped by queries. */
  static Contender podp() {
    return podp(PODP, PodpSettings.DEFAULT);
  }

  /**
   * Returns PODP with parts as the first copies have them now, which is all that the paper's text
   * says.
   */
  static Contender sticky() {
    return podp(STICKY, new PodpSettings(BalanceSettings.DEFAULT, 0, 0));
  }

  static Contender podp(String name, PodpSettings settings) {
    return new Contender(
        name,
        seed ->
            new Podp(settings.withBalance(balance(seed)), MilpSolver.none(), Compute.unhurried()));
  }

  /** Returns the paper's three baselines and PODP. */
  static List<Contender> all() {
    return List.of(nlb(), getafix(), getafixPlus(), podp());
  }

  private static BalanceSettings balance(long seed) {
    return BalanceSettings.DEFAULT.withSeed(seed);
  }
}
