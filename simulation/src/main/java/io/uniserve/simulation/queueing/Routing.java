package io.uniserve.simulation.queueing;

import io.uniserve.api.ActorId;
import io.uniserve.api.policy.Placement;
import java.util.List;

/**
 * The routing of accesses: for each shard its servers, with the shares that they serve (PODP's
 * r_ij).
 *
 * @param servers the servers of each shard
 * @param upTo the greatest choice that each of them gets, ascending
 */
public record Routing(int[][] servers, double[][] upTo) {

  /** Returns the routing of a placement of the shards of a {@link Snapshots} snapshot. */
  public static Routing of(Placement placement, int shards) {
    int[][] servers = new int[shards][];
    double[][] upTo = new double[shards][];
    for (int shard = 0; shard < shards; shard++) {
      ActorId actor = Snapshots.actor(shard);
      List<Placement.Copy> copies = placement.of(actor);
      servers[shard] = copies.stream().mapToInt(copy -> Snapshots.number(copy.server())).toArray();
      upTo[shard] = new double[copies.size()];
      double sum = 0;
      for (int place = 0; place < copies.size(); place++) {
        sum += copies.get(place).readShare();
        upTo[shard][place] = sum;
      }
    }
    return new Routing(servers, upTo);
  }

  /** Returns the server of one access. */
  int server(int shard, double choice) {
    int last = servers[shard].length - 1;
    for (int place = 0; place < last; place++) {
      if (choice < upTo[shard][place]) {
        return servers[shard][place];
      }
    }
    return servers[shard][last];
  }
}
