package io.uniserve.policy.placement;

import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.policy.placement.packing.CoScan;
import io.uniserve.policy.placement.packing.Packing;

/**
 * The Getafix+ policy (PODP §5.1, the second baseline): {@link Getafix}, but each actor goes to the
 * server, among those with room for it, where it is least likely to be scanned together with the
 * actors there ({@link CoScan}, after Druid).
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
