package io.uniserve.simulation.scenario.cluster;

import io.uniserve.runtime.wire.WireCodec;
import io.uniserve.simulation.ClusterSettings;
import io.uniserve.simulation.Seed;
import io.uniserve.simulation.SimulatedCluster;
import io.uniserve.simulation.disk.SimulatedDisk;
import io.uniserve.simulation.model.BatchDefect;
import io.uniserve.simulation.model.ModelFailures;
import io.uniserve.simulation.model.ModelObserver;
import io.uniserve.simulation.network.NetworkSettings;
import io.uniserve.simulation.scenario.cluster.store.StoreDefect;
import io.uniserve.simulation.scenario.cluster.store.StoreFaults;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.time.Duration;

/** Simulated clusters whose controllers and servers nobody observes and in which nothing fails. */
final class SoundCluster {
  private static final Duration DETECTION = Duration.ofSeconds(20);
  private static final long DISK_BYTES = 8L << 20;
  private static final int STEPS_MAX = 20_000_000;

  private SoundCluster() {}

  /** Creates a cluster without processes, whose messages take some time. */
  static SimulatedCluster of(Duration least, Duration most) {
    NetworkSettings network = new NetworkSettings(least, most, 0, DETECTION, false);
    return new SimulatedCluster(
        new Seed(1),
        new WireCodec(ClusterPrograms.UNOBSERVED),
        new ClusterSettings(network, DISK_BYTES, STEPS_MAX));
  }

  /**
   * Adds the controllers and servers of a shape.
   *
   * @return creates clients of them
   */
  static ClusterPrograms add(SimulatedCluster cluster, ClusterShape shape) {
    return add(cluster, shape, cluster.sharedDisk());
  }

  /**
   * Adds the controllers and servers of a shape, with a durable store on this disk.
   *
   * @return creates clients of them
   */
  static ClusterPrograms add(SimulatedCluster cluster, ClusterShape shape, SimulatedDisk store) {
    ClusterPrograms programs =
        new ClusterPrograms(
            store, new StoreFaults(cluster, store), StoreDefect.NONE, BatchDefect.NONE, shape);
    for (String name : shape.controllerNames()) {
      cluster.add(name, environment -> programs.controller(environment, name));
    }
    for (String name : shape.serverNames()) {
      cluster.add(
          name,
          environment ->
              programs.server(environment, name, ModelObserver.NOBODY, ModelFailures.NONE));
    }
    return programs;
  }
}
