package io.uniserve.simulation.figure;

import io.uniserve.simulation.queueing.QueryMix;
import io.uniserve.simulation.queueing.Routing;
import java.util.Arrays;

/** The parallelism of a mix's queries under a placement. */
final class Parallelism {
  private Parallelism() {}

  /** Returns the mean clustering (PODP §3.1), by frequency. */
  static double clustering(QueryMix mix, Routing routing, int servers) {
    double sum = 0;
    for (int set = 0; set < mix.sets().length; set++) {
      sum += mix.weights()[set] * clustering(mix.sets()[set], routing, servers);
    }
    return sum / Arrays.stream(mix.weights()).sum();
  }

  /** Returns the share of queries that find two or more of their shards on one server (PODP §2). */
  static double clustered(QueryMix mix, Routing routing, int servers) {
    double sum = 0;
    for (int set = 0; set < mix.sets().length; set++) {
      sum += clustering(mix.sets()[set], routing, servers) > 1 ? mix.weights()[set] : 0;
    }
    return sum / Arrays.stream(mix.weights()).sum();
  }

  private static int clustering(int[] set, Routing routing, int servers) {
    int[] counts = new int[servers];
    int greatest = 0;
    for (int shard : set) {
      for (int server : routing.servers()[shard]) {
        greatest = Math.max(greatest, ++counts[server]);
      }
    }
    return greatest;
  }

  /**
   * Returns for each server the number of its 2-clusters: pairs of its shards that some query reads
   * (PODP §2).
   */
  static int[] pairs(QueryMix mix, Routing routing, int servers) {
    int shards = routing.servers().length;
    boolean[][] seen = new boolean[shards][shards];
    int[] pairs = new int[servers];
    for (int[] set : mix.sets()) {
      for (int one : set) {
        for (int other : set) {
          int server = routing.servers()[one][0];
          if (one < other && !seen[one][other] && server == routing.servers()[other][0]) {
            seen[one][other] = true;
            pairs[server]++;
          }
        }
      }
    }
    return pairs;
  }

  /** Returns the number of copies on servers where the shard was not. */
  static int moves(Routing routing, int[] serverOf) {
    int moves = 0;
    for (int shard = 0; shard < serverOf.length; shard++) {
      for (int server : routing.servers()[shard]) {
        moves += server == serverOf[shard] ? 0 : 1;
      }
    }
    return moves;
  }
}
