package io.uniserve.policy.placement;

import io.uniserve.api.ActorId;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.ClusterLoad.ActorLoad;
import io.uniserve.api.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Evens out the number of copies on each server, and moves nothing.
 *
 * <p><b>Goals.</b> An actor with too few copies gets more, each on the server that holds the fewest copies so far. Among
 * servers with equally many, the one with the fewest primaries comes first, since the first copy of a new actor becomes
 * its primary; then the order of names decides, so that the same cluster always gets the same answer.
 *
 * <p><b>Constraints.</b> Copies that exist stay where they are. Two copies of one actor never share a server. Every copy
 * gets the same share of the reads.
 *
 * <p><b>Example.</b> Servers a, b, c and three new actors with two copies: actor 0 gets (a, b); actor 1 then (c, a), as c
 * has none; actor 2 gets (b, c). Each server holds two copies and is the primary of one actor.
 */
public final class FewestCopies implements PlacementPolicy {

  @Override
  public SortedMap<ActorId, List<Copy>> place(ClusterLoad cluster) {
    Counts counts = new Counts(cluster);
    SortedMap<ActorId, List<Copy>> placed = new TreeMap<>();
    cluster.actors().forEach((id, actor) -> placed.put(id, shared(counts.complete(actor))));
    return placed;
  }

  private static List<Copy> shared(List<String> servers) {
    return servers.stream().map(server -> new Copy(server, 1.0 / servers.size())).toList();
  }

  /** How much each server holds, counting what has been placed so far. */
  private static final class Counts {
    private final TreeMap<String, Integer> copies = new TreeMap<>();
    private final TreeMap<String, Integer> primaries = new TreeMap<>();

    Counts(ClusterLoad cluster) {
      cluster.servers().keySet().forEach(server -> copies.put(server, 0));
      cluster.servers().keySet().forEach(server -> primaries.put(server, 0));
      cluster.actors().values().forEach(actor -> countAll(actor.copies()));
    }

    private void countAll(List<String> servers) {
      for (int place = 0; place < servers.size(); place++) {
        count(servers.get(place), place == 0);
      }
    }

    private void count(String server, boolean primary) {
      copies.merge(server, 1, Integer::sum);
      primaries.merge(server, primary ? 1 : 0, Integer::sum);
    }

    List<String> complete(ActorLoad actor) {
      List<String> servers = new ArrayList<>(actor.copies());
      int wanted = Math.min(actor.replicas(), copies.size());
      while (servers.size() < wanted) {
        String next = emptiestBesides(servers);
        count(next, servers.isEmpty());
        servers.add(next);
      }
      return servers;
    }

    private String emptiestBesides(List<String> taken) {
      return copies.keySet().stream()
          .filter(server -> !taken.contains(server))
          .min(Comparator.comparing(copies::get).thenComparing(primaries::get))
          .orElseThrow();
    }
  }
}
