package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.ActorId;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.ClusterLoad.ActorLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * A policy that wants some actors elsewhere each time, on more servers or fewer, primaries
 * included, within the constraints. It follows from the snapshot alone, as a policy must.
 */
public final class RestlessPolicy implements PlacementPolicy {
  @Override
  public Placement place(ClusterLoad cluster) {
    Random random = new Random(cluster.hashCode());
    TreeMap<ActorId, List<Placement.Copy>> copies = new TreeMap<>();
    TreeMap<ActorId, String> reasons = new TreeMap<>();
    for (Map.Entry<ActorId, ActorLoad> actor : cluster.actors().entrySet()) {
      List<String> servers = servers(cluster, actor.getValue(), random);
      copies.put(
          actor.getKey(),
          servers.stream()
              .map(server -> new Placement.Copy(server, 1.0 / servers.size()))
              .toList());
      reasons.put(actor.getKey(), "restless");
    }
    return new Placement(copies, reasons, "restless");
  }

  private static List<String> servers(ClusterLoad cluster, ActorLoad actor, Random random) {
    List<String> others = new ArrayList<>(cluster.servers().keySet());
    int least = Math.min(actor.replicas(), others.size());
    if (actor.copies().size() >= least && random.nextInt(3) == 0) {
      return actor.copies().containsAll(actor.pins()) ? actor.copies() : List.copyOf(others);
    }
    others.removeAll(actor.pins());
    Collections.shuffle(others, random);
    List<String> servers = new ArrayList<>(actor.pins());
    int wanted = least + random.nextInt(cluster.servers().size() - least + 1);
    for (String server : others) {
      if (servers.size() < wanted) {
        servers.add(server);
      }
    }
    return servers;
  }
}
