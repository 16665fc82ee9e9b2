package io.uniserve.policy.placement;

import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.policy.placement.podp.Compute;
import io.uniserve.policy.placement.podp.TwoStages;

/**
 * Naive load balancing, NLB: the fewest moves that bring all servers within the load tolerance
 * (PODP §5.1, the third baseline). It ignores which actors are queried together.
 *
 * <p>This is stage 2 of PODP without formula (10). {@link
 * io.uniserve.policy.placement.search.Balancer} finds an assignment. If the problem is small enough
 * for a solver, the solver then minimises its moves.
 *
 * <p><b>Example.</b> Server a holds actors with load 4, 3, 3 and b one with load 2; mean 6. Moving
 * the 4 to b makes 6 and 6: one move.
 */
public final class NaiveLoadBalancing implements PlacementPolicy {
  private final BalanceSettings settings;
  private final MilpSolver solver;
  private final Compute compute;

  /** Makes the policy with a solver, which may be {@link MilpSolver#none}. */
  public NaiveLoadBalancing(BalanceSettings settings, MilpSolver solver, Compute compute) {
    this.settings = settings;
    this.solver = solver;
    this.compute = compute;
  }

  @Override
  public Placement place(ClusterLoad cluster) {
    Snapshot snapshot = new Snapshot(cluster, settings.loadTolerance());
    return snapshot.placement(
        TwoStages.balance(
            snapshot.problem(), solver, settings.seed(), compute.countdown(settings.millisMax())));
  }
}
