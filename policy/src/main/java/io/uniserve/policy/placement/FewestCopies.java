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
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A policy that evens out the number of copies on each server and moves none.
 *
 * <p><b>Goals.</b> The first copy of a new actor, which becomes its primary, goes to the server
 * with the fewest primaries. Every further copy goes to the server with the fewest copies; among
 * equals to the one that shares the fewest actors with the servers chosen before, so that the work
 * of a lost server is spread over many others. Among servers that are equal in all of this, the
 * order of names decides, so that the same cluster always gets the same answer.
 *
 * <p><b>Constraints.</b> Existing copies stay where they are, except those on draining servers. Two
 * copies of one actor never share a server. Every copy gets the same share of the reads.
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

  /** The number of copies and primaries on one server. */
  private static final class Count {
    private final String server;
    private int copies;
    private int primaries;

    Count(String server) {
      this.server = server;
    }

    int copies() {
      return copies;
    }

    int primaries() {
      return primaries;
    }

    String server() {
      return server;
    }
  }

  /**
   * The counts of all servers, with the copies that have been placed so far. They are kept in
   * order, so that the next server is found without a search of all.
   */
  private static final class Counts {
    private static final Comparator<Count> BY_COPIES =
        Comparator.comparingInt(Count::copies).thenComparing(Count::server);
    private static final Comparator<Count> BY_PRIMARIES =
        Comparator.comparingInt(Count::primaries).thenComparing(BY_COPIES);

    private final TreeMap<String, Count> servers = new TreeMap<>();
    private final TreeMap<String, TreeMap<String, Integer>> shared = new TreeMap<>();
    private final TreeSet<Count> byCopies = new TreeSet<>(BY_COPIES);
    private final TreeSet<Count> byPrimaries = new TreeSet<>(BY_PRIMARIES);

    Counts(ClusterLoad cluster) {
      cluster.servers().forEach((server, load) -> addServer(server, load.draining()));
      cluster.actors().values().forEach(actor -> countAll(staying(actor)));
      byCopies.addAll(servers.values());
      byPrimaries.addAll(servers.values());
    }

    private void addServer(String server, boolean draining) {
      if (!draining) {
        servers.put(server, new Count(server));
      }
    }

    private List<String> staying(ActorLoad actor) {
      return actor.copies().stream().filter(servers::containsKey).toList();
    }

    private void countAll(List<String> holders) {
      for (int place = 0; place < holders.size(); place++) {
        count(holders.get(place), holders.subList(0, place));
      }
    }

    private void count(String server, List<String> before) {
      Count count = servers.get(server);
      count.copies++;
      count.primaries += before.isEmpty() ? 1 : 0;
      for (String other : before) {
        shared.computeIfAbsent(server, name -> new TreeMap<>()).merge(other, 1, Integer::sum);
        shared.computeIfAbsent(other, name -> new TreeMap<>()).merge(server, 1, Integer::sum);
      }
    }

    List<String> complete(ActorLoad actor) {
      List<String> holders = new ArrayList<>(staying(actor));
      int wanted = Math.min(actor.replicas(), servers.size());
      while (holders.size() < wanted) {
        Count next = holders.isEmpty() ? byPrimaries.getFirst() : fewestCopiesBesides(holders);
        byCopies.remove(next);
        byPrimaries.remove(next);
        count(next.server, holders);
        byCopies.add(next);
        byPrimaries.add(next);
        holders.add(next.server);
      }
      return holders;
    }

    private Count fewestCopiesBesides(List<String> taken) {
      Count best = null;
      int least = Integer.MAX_VALUE;
      for (Count next : byCopies) {
        if (best != null && (least == 0 || next.copies > best.copies)) {
          break;
        }
        int sharing = taken.contains(next.server) ? least : sharedWith(next.server, taken);
        if (sharing < least) {
          best = next;
          least = sharing;
        }
      }
      return Objects.requireNonNull(best, "there are fewer servers than copies");
    }

    private int sharedWith(String server, List<String> others) {
      TreeMap<String, Integer> counts = shared.get(server);
      return counts == null
          ? 0
          : others.stream().mapToInt(other -> counts.getOrDefault(other, 0)).sum();
    }
  }
}
