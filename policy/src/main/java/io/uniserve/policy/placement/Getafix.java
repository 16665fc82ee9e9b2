package io.uniserve.policy.placement;

import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.packing.Packing;

/**
 * The Getafix policy (Ghosh et al., EuroSys 2018; PODP §5.1, the first baseline): best-fit packing
 * of actors into servers of equal capacity, with the fewest copies, then a matching of bins to
 * servers with the fewest moves. See {@link Packing} for the algorithm and an example.
 */
public final class Getafix implements PlacementPolicy {
  private final BalanceSettings settings;

  public Getafix(BalanceSettings settings) {
    this.settings = settings;
  }

  @Override
  public Placement place(ClusterLoad cluster) {
    Snapshot snapshot = new Snapshot(cluster, settings.loadTolerance());
    return snapshot.placement(
        Packing.greatestFirst(
            snapshot.problem(), Packing.tightest(snapshot.problem()), settings.seed()));
  }
}
