package io.uniserve.simulation;

import io.uniserve.simulation.network.NetworkSettings;

/**
 * What is the same for a whole simulated cluster.
 *
 * @param network how the network behaves without faults
 * @param diskBytes how much the disk of each process holds
 * @param stepsMax how many steps the whole run may take
 */
public record ClusterSettings(NetworkSettings network, long diskBytes, long stepsMax) {
  /** 8 MiB of disk for each process, twenty million steps. */
  public static final ClusterSettings DEFAULT =
      new ClusterSettings(NetworkSettings.DEFAULT, 8L << 20, 20_000_000);
}
