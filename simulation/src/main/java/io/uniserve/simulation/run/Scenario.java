package io.uniserve.simulation.run;

import io.uniserve.kernel.MessageCodec;
import io.uniserve.simulation.ClusterSettings;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import java.util.List;

/** A cluster, a workload, faults, and what must hold. */
public interface Scenario {
  /** By which it is chosen. */
  String name();

  /** What a person adds to the command that plays a seed, to have the same run planned. */
  default String options() {
    return "";
  }

  /** How messages between its processes become bytes. */
  MessageCodec codec();

  /** What is the same for the whole cluster. */
  default ClusterSettings settings() {
    return ClusterSettings.DEFAULT;
  }

  /** The run of a seed: its topology, workload and faults. */
  Run plan(Seed seed);

  /**
   * The names of all processes of a run.
   *
   * @throws IllegalArgumentException if the run lacks something that this scenario needs
   */
  List<String> processes(Run run);

  /**
   * Adds processes, runs them, and throws if anything does not hold that must. Takes whatever is
   * random and not in the run from the cluster's seed.
   */
  void play(SimulatedCluster cluster, Run run);

  /** Runs that are smaller than this one in one respect each, beside its faults. */
  default List<Run> smaller(Run run) {
    return List.of();
  }
}
