package io.uniserve.simulation.queueing;

import java.util.Arrays;

/**
 * Servers and the shards that they hold.
 *
 * @param servers the number of servers
 * @param cores the number of cores of each server
 * @param accessTicks the ticks of one access to each shard
 */
public record Farm(int servers, int cores, int[] accessTicks) {

  /** Returns a farm whose shards all cost the same. */
  public static Farm uniform(int servers, int cores, int shards, int ticks) {
    int[] accessTicks = new int[shards];
    Arrays.fill(accessTicks, ticks);
    return new Farm(servers, cores, accessTicks);
  }

  /** Returns how many shards there are. */
  public int shards() {
    return accessTicks.length;
  }

  /** Returns the number of queries for each tick that keeps a share of all cores busy, 0 to 1. */
  public double rateFor(double utilization, QueryMix mix) {
    return utilization * servers * cores / mix.meanTicks(accessTicks);
  }
}
