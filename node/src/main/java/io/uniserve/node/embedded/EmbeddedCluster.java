package io.uniserve.node.embedded;

import io.uniserve.api.ActorId;
import io.uniserve.api.Engine;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.production.ProductionEnvironment;
import io.uniserve.node.cluster.DirectoryLock;
import io.uniserve.node.cluster.LivePolicies;
import io.uniserve.node.cluster.LocalProcesses;
import io.uniserve.node.cluster.Parts;
import io.uniserve.node.cluster.StateWait;
import io.uniserve.node.scaling.Provision;
import io.uniserve.node.scaling.ThreadMachines;
import io.uniserve.policy.scaling.ScalingPolicies;
import io.uniserve.policy.scanning.GrantPolicy;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.client.stream.StreamRunner;
import io.uniserve.runtime.client.stream.StreamSettings;
import io.uniserve.runtime.client.tables.CopyTroubles;
import io.uniserve.runtime.control.Controller;
import io.uniserve.runtime.control.scaling.ScalingParts;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.control.settings.PlacementPolicies;
import io.uniserve.runtime.server.Server;
import io.uniserve.runtime.server.base.ServerSettings;
import io.uniserve.runtime.store.DurableStore;
import io.uniserve.runtime.store.backup.ActorBackups;
import io.uniserve.runtime.store.location.DurableStores;
import io.uniserve.runtime.wire.LoadSettings;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.entry.Engines;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A whole cluster in this process: a controller, servers and a client, which hand messages to each
 * other directly. Its data survives a restart on the same directory. Safe for use by many threads.
 */
public final class EmbeddedCluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedCluster.class);
  private static final Address CONTROLLER = new Address("router");
  private static final Address CLIENT = new Address("client");
  private static final Duration START_TIMEOUT = Duration.ofSeconds(60);

  /** The time after which it checks what keeps actors from being readable. */
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** The patience with a server that is told to end, and holds nothing. */
  private static final Duration LEAVE_PATIENCE = Duration.ofSeconds(10);

  private final Engines engines;
  private final DirectoryLock lock;
  private final int workers;
  private final LoadSettings load;
  private final GrantPolicy grants;
  private final LocalProcesses processes;
  private final DurableStore store;
  private final Provision provision;
  private final Controller controller;
  private final ClusterClient client;
  private final SortedMap<String, Server> servers = new TreeMap<>();

  /** Open once the servers are started that the cluster had last. */
  private final CountDownLatch begun = new CountDownLatch(1);

  private EmbeddedCluster(EmbeddedSettings settings, DirectoryLock lock) throws IOException {
    this.lock = lock;
    engines = new Engines(settings.engines());
    processes = new LocalProcesses(settings.directory(), settings.workers().isEmpty());
    workers = settings.workers().orElse(Runtime.getRuntime().availableProcessors());
    load = settings.load();
    grants = settings.grants();
    PlacementPolicies policies = LivePolicies.with(settings.policies());
    policies.require(settings.placement().policy());
    store =
        DurableStores.open(
            settings.storeUri(), processes.clock(), ProductionEnvironment.unseeded());
    provision =
        new Provision(
            new ThreadMachines(
                this::serverNamesOnceBegun, this::startUnlessRunning, this::endServer));
    controller =
        new Controller(
            processes.start(CONTROLLER),
            CONTROLLER,
            List.of(CONTROLLER),
            engines,
            policies,
            new ScalingParts(
                new ScalingPolicies(settings.scalingPolicies()), Optional.of(provision)),
            ControllerSettings.DEFAULT.with(settings.placement()));
    client =
        new ClusterClient(
            processes.startWithoutFiles(CLIENT),
            List.of(CONTROLLER),
            engines,
            ClientSettings.DEFAULT.withLoad(load));
  }

  /**
   * Starts a cluster and waits until everything that it has stored can be read. Data that cannot be
   * read, since its engine fails or is missing, is named in the log, and everything else is served.
   *
   * @param directory the directory of all its data; created if needed
   * @param servers the number of servers, named {@code s1}, {@code s2} and so on
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if another cluster uses the
   *     directory
   */
  public static EmbeddedCluster start(Path directory, int servers, Engine<?>... engines) {
    return start(new EmbeddedSettings(directory, servers, List.of(engines), Optional.empty()));
  }

  /** Starts a cluster with all settings. */
  public static EmbeddedCluster start(EmbeddedSettings settings) {
    DirectoryLock lock = DirectoryLock.acquire(settings.directory());
    EmbeddedCluster cluster;
    try {
      cluster = new EmbeddedCluster(settings, lock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw UniserveException.of(e);
    }
    try {
      cluster.controller.awaitDeciding(Deadline.after(cluster.processes.clock(), START_TIMEOUT));
      ClusterState before = cluster.controller.state();
      names(before, settings).forEach(cluster::startUnlessRunning);
      cluster.begun.countDown();
      cluster.awaitReadable(before);
      return cluster;
    } catch (RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * Returns the names of the servers to start. A cluster that has followed its load has the servers
   * that it had last.
   */
  private static List<String> names(ClusterState before, EmbeddedSettings settings) {
    List<String> fleet = before.scaling().fleet();
    return fleet.isEmpty()
        ? IntStream.rangeClosed(1, settings.servers()).mapToObj(ThreadMachines.NAMES::name).toList()
        : fleet;
  }

  private void awaitReadable(ClusterState before) {
    SortedSet<String> names = serverNames();
    StateWait.await(
        client,
        state ->
            state.version() >= before.version()
                && names.stream().allMatch(name -> newlyAlive(name, before, state)),
        START_TIMEOUT,
        "all servers to join");
    Deadline deadline = Deadline.after(processes.clock(), START_TIMEOUT);
    while (!StateWait.holds(client, StateWait::readable, LOOK)) {
      List<ServerStatus> statuses = client.view().statuses(LOOK);
      boolean over = deadline.expired(processes.clock());
      if (over || StateWait.unreadable(client.state()).allMatch(id -> isHopeless(id, statuses))) {
        StateWait.unreadable(client.state())
            .map(ActorId::table)
            .distinct()
            .forEach(table -> tellUnreadable(table, statuses));
        return;
      }
    }
  }

  /** Returns whether all of an actor's copies fail, and one of them will continue to. */
  private boolean isHopeless(ActorId actor, List<ServerStatus> statuses) {
    ClusterState state = client.state();
    List<CopyTroubles.CopyTrouble> failing =
        CopyTroubles.of(actor.table(), statuses).all().stream()
            .filter(copy -> copy.actor() == actor.number())
            .toList();
    long copies =
        state.actor(actor).orElseThrow().copies().stream()
            .filter(copy -> state.alive(copy.server()))
            .count();
    return failing.size() == copies && failing.stream().anyMatch(copy -> copy.trouble().lasting());
  }

  private void tellUnreadable(long table, List<ServerStatus> statuses) {
    LOG.warn(
        "table '{}' cannot be read{}",
        client.state().tables().get(table).definition().name(),
        CopyTroubles.of(table, statuses).words());
  }

  /**
   * Returns whether a server is alive, and not only in a state from before this cluster started.
   */
  private static boolean newlyAlive(String name, ClusterState before, ClusterState now) {
    ServerState former = before.servers().get(name);
    return now.alive(name)
        && (former == null || now.servers().get(name).incarnation() > former.incarnation());
  }

  /** Makes this process ready to read streams, see {@link ClusterClient#readStreams}. */
  public StreamRunner readStreams(StreamSettings settings, String process) {
    return client.readStreams(settings, process);
  }

  /** Returns a client of this cluster, which ends with it. */
  public UniserveClient client() {
    return client;
  }

  /** Returns the controller's cluster state. */
  public ClusterState state() {
    return controller.state();
  }

  /** Returns the servers that run. */
  public SortedSet<String> serverNames() {
    synchronized (servers) {
      return new TreeSet<>(servers.keySet());
    }
  }

  /**
   * Returns the servers that run, for the scaling by load. The controller may want servers before
   * {@link #start} has seen its first state. A server that joined before that would look as if it
   * had joined in a former life, and be waited for in vain.
   */
  private SortedSet<String> serverNamesOnceBegun() {
    try {
      begun.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "the start of servers was interrupted");
    }
    return serverNames();
  }

  /**
   * Starts a server, a new one or one that was stopped. It joins the cluster in the background.
   *
   * @throws UniserveException with {@link ErrorCode#ALREADY_EXISTS} if it runs
   */
  public void startServer(String name) {
    Address self = new Address(name);
    synchronized (servers) {
      if (servers.containsKey(name) || self.equals(CONTROLLER) || self.equals(CLIENT)) {
        throw new UniserveException(ErrorCode.ALREADY_EXISTS, name + " runs already");
      }
      var environment = processes.start(self);
      servers.put(
          name,
          new Server(
              environment,
              name,
              self,
              List.of(CONTROLLER),
              engines,
              new ActorBackups(store, environment),
              ServerSettings.forProcessors(workers).withLoad(load).withGrants(grants)));
    }
  }

  /**
   * Starts a server unless it runs. The start of a cluster and the scaling by load may want the
   * same server.
   */
  private void startUnlessRunning(String name) {
    synchronized (servers) {
      if (!servers.containsKey(name)) {
        startServer(name);
      }
    }
  }

  /**
   * Ends a server as if its process had been killed: from one moment to the next it neither
   * receives nor sends anything, and nobody is told. Its files stay.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND} if no such server runs
   */
  public void stopServer(String name) {
    synchronized (servers) {
      Server server = servers.remove(name);
      if (server == null) {
        throw new UniserveException(ErrorCode.NOT_FOUND, "no server '" + name + "' runs");
      }
      processes.cutOff(new Address(name));
      server.close(); // this only frees its threads, since it cannot reach anybody any more
    }
  }

  /** Ends a server that tells the others first; does nothing if it has ended already. */
  private void endServer(String name) {
    Server server;
    synchronized (servers) {
      server = servers.get(name);
    }
    if (server != null) {
      server.leave(LEAVE_PATIENCE);
      synchronized (servers) {
        if (servers.remove(name, server)) {
          processes.cutOff(new Address(name));
          server.close();
        }
      }
    }
  }

  @Override
  public void close() {
    begun.countDown();
    provision.close(); // otherwise it would start servers that are ended here
    try (Parts closing = new Parts()) {
      closing.add(lock);
      closing.add(store);
      closing.add(processes);
      closing.add(controller);
      synchronized (servers) {
        servers.values().forEach(closing::add);
        servers.clear();
      }
      closing.add(client);
    }
  }
}
