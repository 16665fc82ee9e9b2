package io.uniserve.simulation.scenario.cluster;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.policy.placement.FewestCopies;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.client.context.HedgeSettings;
import io.uniserve.runtime.control.Controller;
import io.uniserve.runtime.control.raft.RaftSettings;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.control.settings.MergeSettings;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.control.settings.SplitSettings;
import io.uniserve.runtime.server.Server;
import io.uniserve.runtime.server.base.ScrubSettings;
import io.uniserve.runtime.server.base.ServerSettings;
import io.uniserve.runtime.server.plan.chunk.PlanSettings;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.store.directory.DirectoryStore;
import io.uniserve.runtime.wire.LoadSettings;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.simulation.disk.SimulatedDisk;
import io.uniserve.simulation.model.BatchDefect;
import io.uniserve.simulation.model.ModelEngine;
import io.uniserve.simulation.model.ModelFailures;
import io.uniserve.simulation.model.ModelObserver;
import io.uniserve.simulation.scenario.cluster.store.FaultyStore;
import io.uniserve.simulation.scenario.cluster.store.StoreDefect;
import io.uniserve.simulation.scenario.cluster.store.StoreFaults;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.cluster.work.Placing;
import io.uniserve.simulation.scenario.cluster.work.RestlessPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The programs of a cluster's processes: the production code, wired as the real program does. */
public final class ClusterPrograms {
  /** The engines whose actors nobody observes. */
  public static final Engines UNOBSERVED = new Engines(List.of(new ModelEngine()));

  private static final String RESTLESS = "restless";

  /** The settings of load, which is reported more often than in production. */
  private static final LoadSettings LOAD =
      new LoadSettings(Duration.ofMillis(500), Duration.ofSeconds(2));

  /** The settings of clients, with more frequent second attempts than in production. */
  private static final ClientSettings CLIENT_SETTINGS =
      new ClientSettings(
          ClientSettings.DEFAULT.fanOutMax(),
          ClientSettings.DEFAULT.attemptsMax(),
          ClientSettings.DEFAULT.retryDelay(),
          ClientSettings.DEFAULT.patience(),
          ClientSettings.DEFAULT.valuesMax(),
          new HedgeSettings(0.5, Duration.ofMillis(1), 0.5),
          LOAD);

  /** The settings of plans: pages of a few chunks, and little memory for them. */
  private static final PlanSettings PLANS =
      new PlanSettings(1L << 30, 2_000, 500, 500, 2_000, 1 << 20, Duration.ofSeconds(1), 3);

  private final SimulatedDisk store;
  private final StoreFaults storeFaults;
  private final StoreDefect beneath;
  private final StoreDefect storeDefect;
  private final BatchDefect batchDefect;
  private final ServerSettings serverSettings;
  private final List<Address> controllers;
  private final ControllerSettings controllerSettings;

  /**
   * @param store the disk of the durable store, which all servers share
   * @param storeFaults the faults of the store
   * @param storeDefect an intended defect of the store
   * @param batchDefect an intended defect of the engine
   * @param shape the shape of the run
   */
  ClusterPrograms(
      SimulatedDisk store,
      StoreFaults storeFaults,
      StoreDefect storeDefect,
      BatchDefect batchDefect,
      ClusterShape shape) {
    this(store, storeFaults, StoreDefect.NONE, storeDefect, batchDefect, shape);
  }

  /**
   * @param store the disk of the durable store, which all servers share
   * @param storeFaults the faults of the store
   * @param beneath sees what takes effect in the store, beneath its faults
   * @param storeDefect an intended defect of the store
   * @param batchDefect an intended defect of the engine
   * @param shape the shape of the run
   */
  public ClusterPrograms(
      SimulatedDisk store,
      StoreFaults storeFaults,
      StoreDefect beneath,
      StoreDefect storeDefect,
      BatchDefect batchDefect,
      ClusterShape shape) {
    this.store = store;
    this.storeFaults = storeFaults;
    this.beneath = beneath;
    this.storeDefect = storeDefect;
    this.batchDefect = batchDefect;
    this.controllers = shape.controllerNames().stream().map(Address::new).toList();
    controllerSettings =
        ControllerSettings.DEFAULT
            .with(
                RaftSettings.DEFAULT.withSnapshots(
                    shape.snapshotBytes(), (int) (shape.snapshotBytes() / 50)))
            .with(placement(shape.work().placing()));
    serverSettings =
        new ServerSettings(
            new ServerSettings.Work(2, 2, 1_000, Duration.ofSeconds(2), 1_000, 1),
            new ServerSettings.Peers(
                Duration.ofMillis(200), Duration.ofMillis(200), Duration.ofMillis(400)),
            new ServerSettings.Copies(
                Duration.ofMillis(1_000),
                1 << 10,
                Duration.ofMillis(100),
                Duration.ofMillis(100),
                1L << 20),
            new ServerSettings.Backups(
                Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(20), 100),
            shape.checkpointBytes(),
            PLANS,
            new ScrubSettings(1L << 20, Duration.ofSeconds(1)),
            LOAD,
            ServerSettings.GRANTS);
  }

  /** Returns placement settings that decide on an interval, however little load there is. */
  private static PlacementSettings placement(Placing placing) {
    Optional<Duration> interval =
        placing == Placing.ON_INTERVAL ? Optional.of(Duration.ofMillis(700)) : Optional.empty();
    return new PlacementSettings(
        RESTLESS, interval, 3, 4, 0, 0, 0.7, SplitSettings.DEFAULT, MergeSettings.DEFAULT);
  }

  private Engines engines(ModelObserver observer, ModelFailures failures) {
    return new Engines(List.of(new ModelEngine(observer, failures, batchDefect)));
  }

  /** Returns the program of a controller. */
  public Controller controller(Environment environment, String name) throws IOException {
    return new Controller(
        environment,
        new Address(name),
        controllers,
        UNOBSERVED,
        new PlacementPolicies(new FewestCopies(), Map.of(RESTLESS, new RestlessPolicy())),
        controllerSettings);
  }

  /** Returns the program of a server. */
  public Server server(
      Environment environment, String name, ModelObserver observer, ModelFailures failures) {
    return server(environment, environment, name, observer, failures);
  }

  /**
   * Returns the program of a server.
   *
   * @param machine the machine, which may have an intended defect
   * @param sound the same machine without the defect; the store is reached from there
   */
  Server server(
      Environment machine,
      Environment sound,
      String name,
      ModelObserver observer,
      ModelFailures failures) {
    DirectoryStore directory =
        new DirectoryStore(
            store.storage(sound.clock(), sound.random()), sound.clock(), sound.random());
    return new Server(
        machine,
        name,
        new Address(name),
        controllers,
        engines(observer, failures),
        new ActorBackups(
            storeDefect.of(new FaultyStore(beneath.of(directory, sound), storeFaults), sound),
            sound),
        serverSettings);
  }

  /** Returns a client. */
  public ClusterClient client(Environment environment) {
    return new ClusterClient(environment, controllers, UNOBSERVED, CLIENT_SETTINGS);
  }
}
