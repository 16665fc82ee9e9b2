package io.uniserve.simulation.run;

import io.uniserve.kernel.MessageCodec;
import io.uniserve.simulation.ClusterSettings;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import java.util.List;

/** A cluster, a workload, faults, and the checks that must hold. */
public interface Scenario {
  /** Returns the name by which it is chosen. */
  String name();

  /**
   * Returns the options that a person adds to the command that plays a seed, to have the same run
   * planned.
   */
  default String options() {
    return "";
  }

  /** Returns the codec of messages between its processes. */
  MessageCodec codec();

  /** Returns the settings of the whole cluster. */
  default ClusterSettings settings() {
    return ClusterSettings.DEFAULT;
  }

  /** Returns the run of a seed: its topology, workload and faults. */
  Run plan(Seed seed);

  /**
   * Returns the names of all processes of a run.
   *
   * @throws IllegalArgumentException if the run lacks something that this scenario needs
   */
  List<String> processes(Run run);

  /**
   * Adds processes, runs them, and throws if any check does not hold. All randomness that is not in
   * the run comes from the cluster's seed.
   */
  void play(SimulatedCluster cluster, Run run);

  /** Returns runs that are smaller than this one in one respect each, beside its faults. */
  default List<Run> smaller(Run run) {
    return List.of();
  }
}
