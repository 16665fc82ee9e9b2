package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.server.actor.ReplicaTarget;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.engine.EngineThreads;
import io.uniserve.runtime.server.membership.Membership;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replication.Assignment;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.server.reshape.SplitMergeHandler;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All replicas of this server. A thread compares them with every new cluster state. It begins newly
 * assigned replicas, passes assignments on to the others, and deletes those that are not assigned
 * any more.
 */
final class Replicas {
  private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ServerContext server;
  private final EngineThreads engineThreads;
  private final LongSupplier incarnation;
  private final Map<ActorId, ReplicaDriver> drivers = new ConcurrentSkipListMap<>();
  private final SplitMergeHandler handler;

  /** Held while a replica is begun: after {@link #close} none is. */
  private final ReentrantLock beginning = new ReentrantLock();

  private volatile boolean closed;
  private volatile long applied;
  private boolean leftoversDeleted;

  /** The replicas that could not be begun, and may have left files. */
  private final Set<ActorId> unbegun = new TreeSet<>();

  Replicas(ServerContext server, EngineThreads engineThreads, LongSupplier incarnation) {
    this.incarnation = incarnation;
    this.server = server;
    this.engineThreads = engineThreads;
    this.handler = new SplitMergeHandler(server, this::copy, this::directory, this::driver);
  }

  /** Returns this server's part in splits and merges. */
  SplitMergeHandler handler() {
    return handler;
  }

  void start(StateSubscription subscription, Membership membership) {
    server
        .environment()
        .threads()
        .start("replicas of " + server.name(), () -> run(subscription, membership));
  }

  Optional<ReplicaDriver> driver(ActorId actor) {
    return Optional.ofNullable(drivers.get(actor));
  }

  Optional<Replica> replica(long table, int actor) {
    return driver(new ActorId(table, actor)).map(ReplicaDriver::replica);
  }

  Collection<ReplicaDriver> all() {
    return List.copyOf(drivers.values());
  }

  /**
   * Returns the version of the newest cluster state that was acted on: replicas that are not
   * assigned any more answer nothing, and the others have heard of their assignments.
   */
  long applied() {
    return applied;
  }

  /** Makes all replicas step down until the next cluster state assigns their roles. */
  void stepDown() {
    for (ReplicaDriver driver : drivers.values()) {
      driver.replica().stepDown();
      driver.followers().reconsider();
    }
  }

  /** Stops all replicas for good: they do nothing and answer no reads. */
  void end() {
    beginning.lock();
    try {
      closed = true;
    } finally {
      beginning.unlock();
    }
    for (ReplicaDriver driver : all()) {
      driver.end();
      driver.replica().stepDown();
    }
  }

  void close() {
    beginning.lock();
    try {
      closed = true;
    } finally {
      beginning.unlock();
    }
    Collection<ReplicaDriver> open = all();
    open.forEach(ReplicaDriver::end);
    open.forEach(driver -> driver.close(PATIENCE));
    handler.close();
  }

  private void run(StateSubscription subscription, Membership membership) {
    try {
      while (!closed) {
        Signal next = subscription.nextChange();
        ClusterState state = subscription.state();
        Membership.Life life = membership.life();
        boolean current = life.incarnation() > 0 && state.version() >= life.sinceVersion();
        if (current) {
          reconcileOrLog(state, life.incarnation());
        }
        next.await(
            Deadline.after(
                server.environment().clock(),
                current ? RETRY : server.settings().copies().retryDelay()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Acts on a cluster state. A failure is logged, and the state is acted on again later. */
  private void reconcileOrLog(ClusterState state, long incarnation) {
    try {
      reconcile(state, incarnation);
      applied = state.version();
    } catch (RuntimeException e) {
      server
          .failures()
          .warn(LOG, server.name() + " could not apply cluster state " + state.version(), e);
    }
  }

  private void reconcile(ClusterState state, long incarnation) {
    handler.tidy(state, id -> assigned(state, id));
    // This comes first: a merged actor may show more here than the actors that it was made of.
    drivers.values().stream()
        .filter(driver -> !driver.dropped() && !assigned(state, driver.replica().target().id()))
        .toList()
        .forEach(driver -> drop(driver, state));
    for (TableState table : state.tables().values()) {
      table.forEachActor((id, actor) -> assignOrLog(state, table, id.number(), incarnation));
    }
    deleteLeftovers(state);
    unbegun.removeIf(
        id ->
            !assigned(state, id)
                && !drivers.containsKey(id)
                && !handler.isMaking(id)
                && delete(directory(id)));
  }

  /** Assigns an actor its role. Its failure keeps no other actor from its own role. */
  private void assignOrLog(ClusterState state, TableState table, int number, long incarnation) {
    try {
      table
          .actors()
          .get(number)
          .copyOn(server.name())
          .ifPresent(copy -> assign(state, table, number, copy, incarnation));
    } catch (RuntimeException e) {
      LOG.error(
          "server {} could not apply its assignment of actor {}",
          server.name(),
          table.actorId(number),
          e);
    }
  }

  private void assign(
      ClusterState state, TableState table, int number, CopyState copy, long incarnation) {
    ActorState actor = table.actors().get(number);
    assign(
        new ReplicaTarget(
            state.cluster(),
            table.actorId(number),
            table.redefined().founded(),
            originOf(table, number)),
        new Assignment(
            actor,
            table.definition().partitioner(),
            number,
            copy,
            primary(state, actor),
            source(state, actor, copy),
            others(state, actor, known -> known.isRead()),
            others(state, actor, known -> true),
            incarnation));
  }

  /** Returns where the data of a copy is sent from, if that copy can be read. */
  private static Optional<Address> source(ClusterState state, ActorState actor, CopyState copy) {
    return copy.source()
        .flatMap(actor::copyOn)
        .filter(known -> known.isRead() && state.alive(known.server()))
        .map(known -> state.servers().get(known.server()).address());
  }

  /** Returns the origin of an actor; empty for actors that were made after the restore. */
  private static Optional<TableOrigin> originOf(TableState table, int number) {
    return table.origin().filter(origin -> number < origin.cut().size());
  }

  private boolean assigned(ClusterState state, ActorId id) {
    return state.actor(id).flatMap(actor -> actor.copyOn(server.name())).isPresent();
  }

  private List<CopyId> others(ClusterState state, ActorState actor, Predicate<CopyState> wanted) {
    return actor.copies().stream()
        .filter(copy -> wanted.test(copy) && state.alive(copy.server()))
        .filter(copy -> !copy.server().equals(server.name()))
        .map(CopyState::id)
        .toList();
  }

  private Optional<Address> primary(ClusterState state, ActorState actor) {
    ServerState primary = state.servers().get(actor.primary());
    boolean other = primary != null && primary.alive() && !primary.name().equals(server.name());
    return other ? Optional.of(primary.address()) : Optional.empty();
  }

  private void assign(ReplicaTarget target, Assignment assignment) {
    ReplicaDriver known = drivers.get(target.id());
    if (known != null) {
      // The replica that is being dropped makes room first. The next look at the state begins this
      // one.
      known.assign(assignment);
      return;
    }
    beginning.lock();
    try {
      if (!closed && !handler.isMaking(target.id())) {
        begin(target, assignment);
      }
    } catch (IOException | UniserveException e) {
      unbegun.add(target.id());
      server.failures().warn(LOG, target + " cannot be prepared here; it is tried again", e);
    } finally {
      beginning.unlock();
    }
  }

  private void begin(ReplicaTarget target, Assignment assignment) throws IOException {
    Optional<Replica> made = handler.taken(target);
    Replica replica = made.isPresent() ? made.get() : copy(target);
    ReplicaDriver driver = new ReplicaDriver(server, replica, incarnation);
    // Requests find it only once it knows its assignment.
    driver.start(assignment);
    drivers.put(target.id(), driver);
    unbegun.remove(target.id());
  }

  private Replica copy(ReplicaTarget target) throws IOException {
    return new Replica(
        target, server.engines(), engineThreads, server.environment(), directory(target.id()));
  }

  private void drop(ReplicaDriver driver, ClusterState state) {
    driver.end();
    driver.replica().stepDown();
    ReplicaTarget target = driver.replica().target();
    ActorId id = target.id();
    boolean ofDroppedTable = !state.tables().containsKey(id.table()) && target.backedUp();
    server
        .environment()
        .threads()
        .start(
            "drop of " + target,
            () -> {
              // Another replica may use this directory next.
              driver.close(Deadline.LONGEST);
              deleteForGood(driver.replica());
              drivers.remove(id);
              if (ofDroppedTable) {
                recordDrop(target);
              }
            });
  }

  /** Records in the store that a table was dropped; tries again while the store is out of reach. */
  private void recordDrop(ReplicaTarget target) {
    try {
      while (!closed) {
        try {
          server.owner().require();
          server
              .backups()
              .catalog()
              .drop(target.cluster(), target.id().table(), target.definition());
          return;
        } catch (UniserveException e) {
          server
              .failures()
              .warn(LOG, "the durable store does not know yet that " + target + " is dropped", e);
          server.environment().clock().sleep(RETRY);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Deletes replicas of a former life that cluster state no longer assigns to this server. */
  private void deleteLeftovers(ClusterState state) {
    if (leftoversDeleted || !Files.exists(root())) {
      return;
    }
    try (Stream<Path> directories = Files.list(root())) {
      leftoversDeleted =
          directories.filter(directory -> !assigned(state, directory)).toList().stream()
              .map(this::delete)
              .reduce(true, Boolean::logicalAnd);
    } catch (IOException e) {
      LOG.warn("replicas of a former life cannot be listed", e);
    }
  }

  private boolean assigned(ClusterState state, Path directory) {
    for (TableState table : state.tables().values()) {
      for (int number = 0; number < table.actors().size(); number++) {
        ActorId id = table.actorId(number);
        if (directory(id).equals(directory) && assigned(state, id)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Deletes a replica's files; tries again after a failure of the disk. */
  private void deleteForGood(Replica replica) {
    try {
      while (!delete(replica) && !closed) {
        server.environment().clock().sleep(RETRY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Deletes a replica's files, but not while another thread makes a checkpoint of it, such as one
   * for a split.
   */
  private boolean delete(Replica replica) {
    ReentrantLock files = replica.filesLock();
    files.lock();
    try {
      return delete(directory(replica.target().id()));
    } finally {
      files.unlock();
    }
  }

  private boolean delete(Path directory) {
    try {
      server.environment().storage().deleteTree(directory);
      return true;
    } catch (IOException e) {
      server.failures().warn(LOG, directory + " cannot be deleted; it is tried again", e);
      return false;
    }
  }

  private Path root() {
    return server.environment().storage().root().resolve("actors");
  }

  Path directory(ActorId id) {
    return root().resolve(id.table() + "-" + id.number());
  }
}
