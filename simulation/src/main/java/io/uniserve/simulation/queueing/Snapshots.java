package io.uniserve.simulation.queueing;

import io.uniserve.api.ActorId;
import io.uniserve.api.Usage;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.ClusterLoad.ActorLoad;
import io.uniserve.api.policy.ClusterLoad.QuerySet;
import io.uniserve.api.policy.ClusterLoad.ServerLoad;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The snapshots that policies see of a farm and its queries. */
public final class Snapshots {
  private static final int TABLE = 1;

  private Snapshots() {}

  /** Returns every shard on a random server, equally many on each. */
  public static int[] randomFill(int servers, int shards, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int[] serverOf = IntStream.range(0, shards).map(shard -> shard % servers).toArray();
    for (int left = shards; left > 1; left--) {
      int drawn = random.nextInt(left);
      int swapped = serverOf[drawn];
      serverOf[drawn] = serverOf[left - 1];
      serverOf[left - 1] = swapped;
    }
    return serverOf;
  }

  /**
   * Returns a snapshot.
   *
   * @param serverOf the server of each shard
   * @param unknown shards of which policies know neither load nor queries (PODP §5.4)
   */
  public static ClusterLoad of(Farm farm, QueryMix mix, int[] serverOf, TreeSet<Integer> unknown) {
    TreeMap<String, ServerLoad> servers = new TreeMap<>();
    for (int server = 0; server < farm.servers(); server++) {
      servers.put(name(server), new ServerLoad(0, Usage.NONE, 0));
    }
    double[] accesses = mix.accesses(farm.shards());
    TreeMap<ActorId, ActorLoad> actors = new TreeMap<>();
    for (int shard = 0; shard < farm.shards(); shard++) {
      double load = unknown.contains(shard) ? 0 : accesses[shard] * farm.accessTicks()[shard];
      actors.put(actor(shard), new ActorLoad(1, load, Usage.NONE, List.of(name(serverOf[shard]))));
    }
    List<QuerySet> queries =
        IntStream.range(0, mix.sets().length).mapToObj(set -> querySet(mix, set, unknown)).toList();
    return new ClusterLoad(servers, actors, queries);
  }

  private static QuerySet querySet(QueryMix mix, int set, TreeSet<Integer> unknown) {
    return new QuerySet(
        Arrays.stream(mix.sets()[set])
            .filter(shard -> !unknown.contains(shard))
            .mapToObj(Snapshots::actor)
            .toList(),
        mix.weights()[set]);
  }

  static ActorId actor(int shard) {
    return new ActorId(TABLE, shard);
  }

  private static String name(int server) {
    return "s%05d".formatted(server);
  }

  static int number(String server) {
    return Integer.parseInt(server.substring(1));
  }
}
