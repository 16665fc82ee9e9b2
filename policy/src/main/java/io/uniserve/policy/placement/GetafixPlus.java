package io.uniserve.policy.placement;

import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.packing.CoScan;
import io.uniserve.policy.placement.packing.Packing;

/**
 * Getafix+ (PODP §5.1, the second baseline): {@link Getafix}, but each actor goes to the server
 * where it is least likely to be scanned together with what is there already ({@link CoScan}, after
 * Druid), among those with room for it.
 */
public final class GetafixPlus implements PlacementPolicy {
  private final BalanceSettings settings;

  public GetafixPlus(BalanceSettings settings) {
    this.settings = settings;
  }

  @Override
  public Placement place(ClusterLoad cluster) {
    Snapshot snapshot = new Snapshot(cluster, settings.loadTolerance());
    return snapshot.placement(
        Packing.greatestFirst(snapshot.problem(), new CoScan(snapshot.problem()), settings.seed()));
  }
}
