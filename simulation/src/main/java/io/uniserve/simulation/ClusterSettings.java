package io.uniserve.simulation;

import io.uniserve.simulation.network.NetworkSettings;

/**
 * The settings of a whole simulated cluster.
 *
 * @param network the behaviour of the network without faults
 * @param diskBytes the size of each process's disk
 * @param stepsMax the most steps that the whole run may take
 */
public record ClusterSettings(NetworkSettings network, long diskBytes, long stepsMax) {
  /**
   * The default: 32 MiB of disk for each process, of which what a power failure could bring back
   * takes a part, and twenty million steps.
   */
  public static final ClusterSettings DEFAULT =
      new ClusterSettings(NetworkSettings.DEFAULT, 32L << 20, 20_000_000);
}
