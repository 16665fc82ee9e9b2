package io.uniserve.policy.placement;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.ClusterLoad.ActorLoad;
import io.uniserve.api.policy.ClusterLoad.QuerySet;
import io.uniserve.api.policy.ClusterLoad.ServerLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Snapshots for tests. */
final class Clusters {
  private final TreeMap<String, ServerLoad> servers = new TreeMap<>();
  private final TreeMap<ActorId, ActorLoad> actors = new TreeMap<>();
  private final List<QuerySet> queries = new ArrayList<>();

  static ActorId id(int number) {
    return new ActorId(1, number);
  }

  Clusters servers(String... names) {
    for (String name : names) {
      server(name, 0, false);
    }
    return this;
  }

  Clusters server(String name, long memory, boolean draining) {
    servers.put(name, new ServerLoad(0, Usage.NONE, memory, draining));
    return this;
  }

  Clusters actor(double load, String... copies) {
    return actor(load, 0, 1, List.of(), copies);
  }

  Clusters actor(double load, long memory, int replicas, List<String> pins, String... copies) {
    SortedSet<String> pinned = new TreeSet<>(pins);
    actors.put(
        id(actors.size()),
        new ActorLoad(replicas, load, new Usage(memory, 0), List.of(copies), pinned));
    return this;
  }

  Clusters query(double frequency, int... members) {
    queries.add(new QuerySet(Arrays.stream(members).mapToObj(Clusters::id).toList(), frequency));
    return this;
  }

  ClusterLoad build() {
    return new ClusterLoad(servers, actors, queries);
  }

  /** Makes a random cluster; some cannot hold their actors. */
  static ClusterLoad random(RandomGenerator random) {
    Clusters clusters = new Clusters();
    int serverCount = random.nextInt(2, 8);
    int actorCount = random.nextInt(1, 40);
    boolean limited = random.nextInt(3) == 0;
    for (int server = 0; server < serverCount; server++) {
      long memory = limited ? random.nextLong(200, 1_500) : 0;
      clusters.server("s" + server, memory, server > 1 && random.nextInt(6) == 0);
    }
    for (int actor = 0; actor < actorCount; actor++) {
      clusters.addRandomActor(random, serverCount, limited);
    }
    for (int set = 0; set < actorCount; set++) {
      int size = random.nextInt(1, Math.min(6, actorCount) + 1);
      clusters.query(
          random.nextDouble(0.1, 3), random.ints(0, actorCount).distinct().limit(size).toArray());
    }
    return clusters.build();
  }

  private void addRandomActor(RandomGenerator random, int serverCount, boolean limited) {
    double load =
        switch (random.nextInt(4)) {
          case 0 -> 0;
          case 1 -> random.nextDouble(5, 20);
          default -> random.nextDouble(0.5, 2);
        };
    String[] copies =
        random
            .ints(0, serverCount)
            .distinct()
            .limit(random.nextInt(3))
            .mapToObj(server -> "s" + server)
            .toArray(String[]::new);
    List<String> pins = random.nextInt(12) == 0 ? List.of("s" + random.nextInt(2)) : List.of();
    actor(load, limited ? random.nextLong(1, 60) : 0, random.nextInt(1, 4), pins, copies);
  }

  /**
   * Makes a cluster queried by ranges of consecutive actors of equal load, which are on random
   * servers, equally many on each.
   */
  static ClusterLoad ranges(int serverCount, int actorCount, int size, RandomGenerator random) {
    Clusters clusters = new Clusters();
    IntStream.range(0, serverCount).forEach(server -> clusters.servers("s%04d".formatted(server)));
    int[] serverOf =
        IntStream.range(0, actorCount)
            .mapToObj(actor -> new double[] {random.nextDouble(), actor % serverCount})
            .sorted((one, other) -> Double.compare(one[0], other[0]))
            .mapToInt(pair -> (int) pair[1])
            .toArray();
    for (int actor = 0; actor < actorCount; actor++) {
      clusters.actor(1, "s%04d".formatted(serverOf[actor]));
    }
    for (int first = 0; first < actorCount; first++) {
      int begin = first;
      clusters.query(
          1, IntStream.range(0, size).map(offset -> (begin + offset) % actorCount).toArray());
    }
    return clusters.build();
  }
}
