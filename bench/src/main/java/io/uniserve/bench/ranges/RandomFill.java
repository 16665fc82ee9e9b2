package io.uniserve.bench.ranges;

import io.uniserve.api.ActorId;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.Placement.Copy;
import io.uniserve.api.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A policy that places actors on servers at random, equally many on each. A trial of another policy
 * begins from such a placement.
 */
final class RandomFill implements PlacementPolicy {
  static final String NAME = "random";

  private volatile long seed;

  void seed(long next) {
    seed = next;
  }

  @Override
  public Placement place(ClusterLoad cluster) {
    List<ActorId> actors = new ArrayList<>(cluster.actors().keySet());
    Collections.shuffle(actors, new Random(seed));
    List<String> servers = List.copyOf(cluster.servers().keySet());
    SortedMap<ActorId, List<Copy>> copies = new TreeMap<>();
    SortedMap<ActorId, String> reasons = new TreeMap<>();
    for (int i = 0; i < actors.size(); i++) {
      copies.put(actors.get(i), List.of(new Copy(servers.get(i % servers.size()), 1)));
      reasons.put(actors.get(i), "by chance, seed " + seed);
    }
    return new Placement(copies, reasons, "by chance");
  }
}
