package io.uniserve.simulation.scan;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Servers and the table that they hold. Partitions are dealt to the servers in turn, so that those
 * of a range lie on different ones.
 *
 * @param servers the number of servers
 * @param slots L_s of each
 * @param partitions the number of the table's
 * @param speeds the speed of each server, as a factor of the mean
 */
public record ScanCluster(int servers, int slots, int partitions, double[] speeds) {

  /** Returns a cluster whose servers differ in speed by some part at random. */
  public static ScanCluster of(int servers, int partitions, double spread, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] speeds = new double[servers];
    Arrays.setAll(speeds, server -> 1 + spread * (2 * random.nextDouble() - 1));
    return new ScanCluster(servers, 1, partitions, speeds);
  }

  int serverOf(int partition) {
    return partition % servers;
  }

  int[] slotsByServer() {
    int[] all = new int[servers];
    Arrays.fill(all, slots);
    return all;
  }
}
