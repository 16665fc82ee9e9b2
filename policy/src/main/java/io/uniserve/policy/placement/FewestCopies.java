package io.uniserve.policy.placement;

import io.uniserve.api.ActorId;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.ClusterLoad.ActorLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.Placement.Copy;
import io.uniserve.api.policy.PlacementPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Evens out the number of copies on each server, and moves nothing.
 *
 * <p><b>Goals.</b> The first copy of a new actor, which becomes its primary, goes to the server
 * with the fewest primaries. Every further copy goes to the server with the fewest copies; among
 * equals to the one that shares the fewest actors with the servers chosen before, so that what a
 * lost server served falls to many others. Among equals in all, the order of names decides, so that
 * the same cluster always gets the same answer.
 *
 * <p><b>Constraints.</b> Copies that exist stay where they are, but for those on draining servers.
 * Two copies of one actor never share a server. Every copy gets the same share of the reads.
 *
 * <p><b>Example.</b> Servers a, b, c and three new actors with two copies: actor 0 gets (a, b);
 * actor 1 then (c, a), as c has none; actor 2 gets (b, c). Each server holds two copies and is the
 * primary of one actor.
 */
public final class FewestCopies implements PlacementPolicy {

  @Override
  public Placement place(ClusterLoad cluster) {
    Counts counts = new Counts(cluster);
    SortedMap<ActorId, List<Copy>> placed = new TreeMap<>();
    SortedMap<ActorId, String> reasons = new TreeMap<>();
    cluster
        .actors()
        .forEach(
            (id, actor) -> {
              List<String> servers = counts.complete(actor);
              placed.put(id, shared(servers));
              if (!servers.equals(actor.copies())) {
                reasons.put(id, "too few copies stay; the servers with the fewest get more");
              }
            });
    return new Placement(placed, reasons, reasons.size() + " actors get copies");
  }

  private static List<Copy> shared(List<String> servers) {
    return servers.stream().map(server -> new Copy(server, 1.0 / servers.size())).toList();
  }

  /** How much each server holds, counting what has been placed so far. */
  private static final class Counts {
    private final TreeMap<String, Integer> copies = new TreeMap<>();
    private final TreeMap<String, Integer> primaries = new TreeMap<>();
    private final TreeMap<String, TreeMap<String, Integer>> shared = new TreeMap<>();

    Counts(ClusterLoad cluster) {
      cluster.servers().forEach((server, load) -> addServer(server, load.draining()));
      cluster.actors().values().forEach(actor -> countAll(staying(actor)));
    }

    private void addServer(String server, boolean draining) {
      if (!draining) {
        copies.put(server, 0);
        primaries.put(server, 0);
      }
    }

    private List<String> staying(ActorLoad actor) {
      return actor.copies().stream().filter(copies::containsKey).toList();
    }

    private void countAll(List<String> servers) {
      for (int place = 0; place < servers.size(); place++) {
        count(servers.get(place), servers.subList(0, place));
      }
    }

    private void count(String server, List<String> before) {
      copies.merge(server, 1, Integer::sum);
      primaries.merge(server, before.isEmpty() ? 1 : 0, Integer::sum);
      for (String other : before) {
        shared.computeIfAbsent(server, name -> new TreeMap<>()).merge(other, 1, Integer::sum);
        shared.computeIfAbsent(other, name -> new TreeMap<>()).merge(server, 1, Integer::sum);
      }
    }

    List<String> complete(ActorLoad actor) {
      List<String> servers = new ArrayList<>(staying(actor));
      int wanted = Math.min(actor.replicas(), copies.size());
      while (servers.size() < wanted) {
        String next = servers.isEmpty() ? fewestPrimaries() : fewestCopiesBesides(servers);
        count(next, servers);
        servers.add(next);
      }
      return servers;
    }

    private String fewestPrimaries() {
      return copies.keySet().stream()
          .min(Comparator.<String, Integer>comparing(primaries::get).thenComparing(copies::get))
          .orElseThrow();
    }

    private String fewestCopiesBesides(List<String> taken) {
      return copies.keySet().stream()
          .filter(server -> !taken.contains(server))
          .min(
              Comparator.<String, Integer>comparing(copies::get)
                  .thenComparing(server -> sharedWith(server, taken)))
          .orElseThrow();
    }

    private int sharedWith(String server, List<String> others) {
      TreeMap<String, Integer> counts = shared.getOrDefault(server, new TreeMap<>());
      return others.stream().mapToInt(other -> counts.getOrDefault(other, 0)).sum();
    }
  }
}
