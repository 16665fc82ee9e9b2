package io.uniserve.bench.placement;

import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.simulation.queueing.Farm;
import io.uniserve.simulation.queueing.QueryMix;
import io.uniserve.simulation.queueing.Snapshots;
import java.util.List;
import java.util.TreeSet;

/**
 * A cluster to place.
 *
 * @param name a name that tells its size and its queries
 * @param cluster the cluster, with ten actors for each server in a random fill
 */
record PlacementCase(String name, ClusterLoad cluster) {
  private static final int ACTORS_PER_SERVER = 10;
  private static final int ZIPF_SET = 20;

  /** Returns clusters of the sizes of the paper's evaluation, or one small cluster. */
  static List<PlacementCase> all(boolean quick) {
    return quick
        ? List.of(ranges(50, 10))
        : List.of(ranges(600, 60), zipf(600), ranges(1000, 20), ranges(1000, 100));
  }

  private static PlacementCase ranges(int servers, int size) {
    int actors = servers * ACTORS_PER_SERVER;
    return of(servers, "ranges of " + size, QueryMix.ranges(actors, size));
  }

  /**
   * Returns a cluster with as many sets as actors, drawn at random: no actor is close to another.
   */
  private static PlacementCase zipf(int servers) {
    int actors = servers * ACTORS_PER_SERVER;
    return of(servers, "Zipf sets of " + ZIPF_SET, QueryMix.zipfSets(actors, ZIPF_SET, actors, 1));
  }

  private static PlacementCase of(int servers, String queries, QueryMix mix) {
    int actors = servers * ACTORS_PER_SERVER;
    Farm farm = Farm.uniform(servers, 4, actors, 10);
    return new PlacementCase(
        "%,d × %,d, %s".formatted(servers, actors, queries),
        Snapshots.of(farm, mix, Snapshots.randomFill(servers, actors, 1), new TreeSet<>()));
  }
}
