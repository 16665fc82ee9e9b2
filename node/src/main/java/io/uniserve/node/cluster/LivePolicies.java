package io.uniserve.node.cluster;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.BalanceSettings;
import io.uniserve.policy.placement.FewestCopies;
import io.uniserve.policy.placement.Getafix;
import io.uniserve.policy.placement.GetafixPlus;
import io.uniserve.policy.placement.Greedy;
import io.uniserve.policy.placement.NaiveLoadBalancing;
import io.uniserve.policy.placement.Podp;
import io.uniserve.policy.placement.PodpSettings;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.policy.placement.podp.Compute;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.solvers.MachineCompute;
import io.uniserve.solvers.OrToolsSolver;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;

/** The placement policies that a running cluster can choose from. */
public final class LivePolicies {
  /**
   * The tolerance of balance. Measured load is never quite the same twice, and a closer balance
   * would move actors for nothing.
   */
  private static final double TOLERANCE = 0.1;

  private LivePolicies() {}

  /**
   * Returns those of the program, and the developer's own.
   *
   * @param own the policies of its own, by name
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if a name is taken
   */
  public static PlacementPolicies with(Map<String, PlacementPolicy> own) {
    BalanceSettings balance =
        new BalanceSettings(
            TOLERANCE, BalanceSettings.DEFAULT.millisMax(), BalanceSettings.DEFAULT.seed());
    Map<String, PlacementPolicy> all = new TreeMap<>();
    all.put("greedy", new Greedy(balance));
    all.put(
        "nlb",
        new WithSolver((solver, compute) -> new NaiveLoadBalancing(balance, solver, compute)));
    all.put("getafix", new Getafix(balance));
    all.put("getafix+", new GetafixPlus(balance));
    PodpSettings podp = PodpSettings.DEFAULT.withBalance(balance);
    all.put("podp", new WithSolver((solver, compute) -> new Podp(podp, solver, compute)));
    own.forEach(
        (name, policy) -> {
          if (all.putIfAbsent(name, policy) != null) {
            throw new UniserveException(
                ErrorCode.ALREADY_EXISTS, "there already is a placement policy '" + name + "'");
          }
        });
    return new PlacementPolicies(new FewestCopies(), all);
  }

  /** A policy whose native solver is loaded, and whose threads run, only while it decides. */
  private record WithSolver(BiFunction<MilpSolver, Compute, PlacementPolicy> policy)
      implements PlacementPolicy {
    @Override
    public Placement place(ClusterLoad cluster) {
      int processors = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
      try (MachineCompute compute = new MachineCompute(processors)) {
        return policy.apply(OrToolsSolver.load(), compute).place(cluster);
      }
    }
  }
}
