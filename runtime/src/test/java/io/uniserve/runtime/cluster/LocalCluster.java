package io.uniserve.runtime.cluster;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Threads;
import io.uniserve.kernel.production.FileStorage;
import io.uniserve.kernel.production.InProcessNetwork;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.kernel.production.ProductionThreads;
import io.uniserve.kernel.production.SystemClock;
import io.uniserve.policy.placement.FewestCopies;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.control.Controller;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.control.settings.PlacementSettings;
import io.uniserve.runtime.register.RegisterEngine;
import io.uniserve.runtime.server.Server;
import io.uniserve.runtime.server.base.ScrubSettings;
import io.uniserve.runtime.server.base.ServerSettings;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.store.location.DurableStores;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.LoadSettings;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.subscription.Controllers;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A controller, some servers and a client in one process; servers can be killed and started again.
 */
final class LocalCluster implements AutoCloseable {
  private static final Address CONTROLLER = new Address("controller");
  private static final long LOOK_NANOS = 1_000_000;
  private static final LoadSettings LOAD =
      new LoadSettings(Duration.ofMillis(100), Duration.ofSeconds(1));

  final SystemClock clock = new SystemClock();
  final ProductionThreads threads = new ProductionThreads();
  final Engines engines = new Engines(List.of(new TallyEngine(), new RegisterEngine()));
  private final Path directory;
  private final Duration patience;
  private final UnaryOperator<DurableStore> stores;
  private final InProcessNetwork network = new InProcessNetwork(clock);
  private final Map<String, Server> servers = new TreeMap<>();
  private final Map<String, FaultyStorage> disks = new TreeMap<>();
  private final Map<String, HeldNews> news = new ConcurrentSkipListMap<>();
  private final Controller controller;
  private long checkpointBytes = 64L << 20;
  final ClusterClient client;

  LocalCluster(Path directory, int count) throws IOException {
    this(directory, count, Duration.ofSeconds(20));
  }

  LocalCluster(Path directory, int count, Duration patience) throws IOException {
    this(
        directory,
        count,
        patience,
        PlacementPolicies.without(new FewestCopies()),
        PlacementSettings.DEFAULT);
  }

  LocalCluster(
      Path directory,
      int count,
      Duration patience,
      PlacementPolicies policies,
      PlacementSettings placement)
      throws IOException {
    this(directory, count, patience, policies, placement, store -> store);
  }

  /**
   * @param stores makes the store that servers see of the durable store
   */
  LocalCluster(Path directory, int count, UnaryOperator<DurableStore> stores) throws IOException {
    this(
        directory,
        count,
        Duration.ofSeconds(20),
        PlacementPolicies.without(new FewestCopies()),
        PlacementSettings.DEFAULT,
        stores);
  }

  private LocalCluster(
      Path directory,
      int count,
      Duration patience,
      PlacementPolicies policies,
      PlacementSettings placement,
      UnaryOperator<DurableStore> stores)
      throws IOException {
    this.stores = stores;
    this.directory = directory;
    this.patience = patience;
    controller =
        new Controller(
            environment("controller"),
            CONTROLLER,
            List.of(CONTROLLER),
            engines,
            policies,
            ControllerSettings.DEFAULT.with(placement));
    client =
        new ClusterClient(
            environment("client"),
            List.of(CONTROLLER),
            engines,
            ClientSettings.DEFAULT.withLoad(LOAD));
    try {
      startAll(count);
    } catch (RuntimeException | IOException e) {
      close();
      throw e;
    }
  }

  private void startAll(int count) throws IOException {
    for (int i = 1; i <= count; i++) {
      start("s" + i);
    }
    // The log of an earlier life is replayed step by step.
    controller.awaitDeciding(Deadline.after(clock, patience));
    long replayed = controller.state().version();
    await(
        state ->
            state.version() >= replayed
                && state.servers().values().stream().filter(server -> server.alive()).count()
                    == count);
  }

  /** Connects one more client; the caller closes it. */
  ClusterClient connect(String name, Threads ofClient) throws IOException {
    return new ClusterClient(
        environment(name, ofClient), List.of(CONTROLLER), engines, ClientSettings.DEFAULT);
  }

  private Environment environment(String process) throws IOException {
    return environment(process, threads);
  }

  private Environment environment(String process, Threads ofProcess) throws IOException {
    return new ProductionEnvironment(
        clock,
        ofProcess,
        disk(process),
        ProductionEnvironment.unseeded(),
        news.computeIfAbsent(process, name -> new HeldNews())
            .over(network.attach(new Address(process))));
  }

  /** Returns the news of the cluster on its way to a process; the same over restarts. */
  HeldNews news(String process) {
    return news.get(process);
  }

  /** Returns the disk of a process; the same over restarts. */
  FaultyStorage disk(String process) throws IOException {
    if (!disks.containsKey(process)) {
      disks.put(process, new FaultyStorage(new FileStorage(directory.resolve(process))));
    }
    return disks.get(process);
  }

  void start(String name) throws IOException {
    Environment environment = environment(name);
    DurableStore store =
        DurableStores.open(
            directory.resolve("store").toUri().toString(), clock, environment.random());
    ActorBackups backups = new ActorBackups(stores.apply(store), environment);
    ServerSettings settings =
        ServerSettings.forProcessors(2)
            .withBackupInterval(Duration.ofMillis(200))
            .withCheckpointBytes(checkpointBytes)
            .withScrub(new ScrubSettings(100L << 20, Duration.ofMillis(200)))
            .withLoad(LOAD);
    servers.put(
        name,
        new Server(
            environment, name, new Address(name), List.of(CONTROLLER), engines, backups, settings));
  }

  /**
   * Kills a server: from one moment to the next nobody hears of it any more; its threads end later.
   */
  void kill(String name) {
    network.detach(new Address(name));
    servers.remove(name).close();
  }

  /** Kills the client: from one moment to the next nobody hears of it any more. */
  void killClient() {
    network.detach(new Address("client"));
  }

  /** Ends a server in an orderly way. */
  void leave(String name) {
    servers.get(name).leave(Duration.ofSeconds(10));
    kill(name);
  }

  /** Sets the length of the log after which servers that start from now on renew checkpoints. */
  void checkpointEvery(long bytes) {
    checkpointBytes = bytes;
  }

  /** Asks a server directly. */
  <T extends Message> T ask(String name, Message request, Class<T> reply) throws IOException {
    return ask("asking", name, request, reply, Duration.ofSeconds(5));
  }

  /**
   * Asks a server directly.
   *
   * @param asking the name of who asks; one question of each at a time
   */
  <T extends Message> T ask(
      String asking, String name, Message request, Class<T> reply, Duration timeout)
      throws IOException {
    try {
      return Calls.ask(
          environment(asking), new Address(name), request, reply, Deadline.after(clock, timeout));
    } finally {
      network.detach(new Address(asking));
    }
  }

  /** Asks the coordinator directly. */
  Changed submit(ControlMessage request) throws IOException {
    return submit(request, Changed.class);
  }

  /** Asks the coordinator directly. */
  <T extends Message> T submit(ControlMessage request, Class<T> reply) throws IOException {
    Address asking = new Address("asking");
    try {
      return new Controllers(environment("asking"), List.of(CONTROLLER))
          .submit(request, reply, Deadline.after(clock, Duration.ofSeconds(5)));
    } finally {
      network.detach(asking);
    }
  }

  ClusterState await(Predicate<ClusterState> wanted) {
    Deadline deadline = Deadline.after(clock, patience);
    while (!wanted.test(client.state())) {
      deadline.check(clock, "cluster state " + client.state());
      LockSupport.parkNanos(LOOK_NANOS);
    }
    return client.state();
  }

  @Override
  public void close() {
    client.close();
    List.copyOf(servers.keySet()).forEach(name -> servers.remove(name).close());
    controller.close();
    List.of("controller", "client", "s1", "s2", "s3", "s4")
        .forEach(name -> network.detach(new Address(name)));
    clock.close();
  }
}
