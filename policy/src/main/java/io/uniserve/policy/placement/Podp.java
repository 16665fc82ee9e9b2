package io.uniserve.policy.placement;

import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.milp.MilpSolver;
import io.uniserve.policy.placement.podp.Compute;
import io.uniserve.policy.placement.podp.PartitionedStages;

/**
 * Parallelism-optimising data placement (PODP): actors that are queried together go to different
 * servers, so that each query is served by as many servers as possible.
 *
 * <p><b>Goals.</b> First the least clustering: the number of a query's actors on its most crowded
 * server, averaged over all queries. Then the fewest moves.
 *
 * <p><b>Constraints.</b> The load of each server within the tolerance, its memory, the number of
 * copies, pins; nothing on draining servers.
 *
 * <p><b>Algorithm.</b> The cluster is divided into parts (POP), and {@link
 * io.uniserve.policy.placement.podp.TwoStages} solves each. Without regrouping, and with the solver
 * as the only source of answers, this is the paper's algorithm.
 *
 * <p><b>Example.</b> Actors 0 to 5 on servers a (0, 1), b (2, 3), c (4, 5), queries for 0-1-2 and
 * 3-4-5. The clustering is 2 for both. Exchanging 1 and 3 gives a (0, 3), b (1, 2), c (4, 5): still
 * 2. Exchanging 5 and 2 as well gives a (0, 3), b (1, 5), c (2, 4): 1 for both, four moves.
 */
public final class Podp implements PlacementPolicy {
  private final PodpSettings settings;
  private final MilpSolver solver;
  private final Compute compute;

  /**
   * Makes the policy.
   *
   * @param solver the solver, which may be {@link MilpSolver#none}
   * @param compute the time and processors that a decision may use
   */
  public Podp(PodpSettings settings, MilpSolver solver, Compute compute) {
    this.settings = settings;
    this.solver = solver;
    this.compute = compute;
  }

  @Override
  public Placement place(ClusterLoad cluster) {
    Snapshot snapshot = new Snapshot(cluster, settings.balance().loadTolerance());
    PartitionedStages stages =
        new PartitionedStages(
            compute,
            solver,
            settings.balance().seed(),
            settings.balance().millisMax(),
            settings.parts(),
            settings.regroupBelow());
    return snapshot.placement(stages.solve(snapshot.problem()));
  }
}
