package io.uniserve.simulation;

import io.uniserve.kernel.MessageCodec;

/** A cluster, a workload, faults, and what must hold. */
public interface Scenario {
  /** By which it is chosen. */
  String name();

  /** How messages between its processes become bytes. */
  MessageCodec codec();

  /** What is the same for the whole cluster. */
  default ClusterSettings settings() {
    return ClusterSettings.DEFAULT;
  }

  /**
   * Adds processes, runs them, and throws if anything does not hold that must. Takes whatever is
   * random from the cluster's seed.
   */
  void play(SimulatedCluster cluster);
}
