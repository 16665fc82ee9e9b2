package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.StateSubscription;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.cluster.TableState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All replicas of this server. A thread compares them with every new cluster state: begins those
 * that it newly assigns, tells the others, and deletes what it assigns no more.
 */
final class Replicas {
  private static final Logger LOG = LoggerFactory.getLogger(Replicas.class);
  private static final Duration RETRY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final ServerContext server;
  private final EngineThreads engineThreads;
  private final LongSupplier incarnation;
  private final Map<ActorId, ReplicaDriver> drivers = new ConcurrentSkipListMap<>();
  private final Forks forks;

  /** Held while a replica is begun: after {@link #close} none is. */
  private final ReentrantLock beginning = new ReentrantLock();

  private volatile boolean closed;
  private boolean leftoversDeleted;

  Replicas(ServerContext server, EngineThreads engineThreads, LongSupplier incarnation) {
    this.incarnation = incarnation;
    this.server = server;
    this.engineThreads = engineThreads;
    this.forks = new Forks(server, this::copy, this::directory, this::driver);
  }

  /** The actors that are being split. */
  Forks forks() {
    return forks;
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

  /** No replica leads, follows or is read until the next cluster state tells it its role. */
  void stepDown() {
    for (ReplicaDriver driver : drivers.values()) {
      driver.replica().stepDown();
      driver.followers().changed();
    }
  }

  /** No replica does anything or answers any read from now on. */
  void end() {
    beginning.lock();
    try {
      closed = true;
    } finally {
      beginning.unlock();
    }
    for (ReplicaDriver driver : all()) {
      driver.end();
      driver.replica().reads().retire(() -> true);
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
    forks.close();
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
                server.environment().clock(), current ? RETRY : server.settings().retryDelay()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What fails is tried again, if only after a while. */
  private void reconcileOrLog(ClusterState state, long incarnation) {
    try {
      reconcile(state, incarnation);
    } catch (RuntimeException e) {
      server
          .failures()
          .warn(LOG, server.name() + " could not act on cluster state " + state.version(), e);
    }
  }

  private void reconcile(ClusterState state, long incarnation) {
    forks.tidy(state, id -> assigned(state, id));
    // First: an actor may show more here than those do that became part of it.
    drivers.values().stream()
        .filter(driver -> !driver.dropped() && !assigned(state, driver.replica().target().id()))
        .toList()
        .forEach(driver -> drop(driver, state));
    for (TableState table : state.tables().values()) {
      for (int number = 0; number < table.actors().size(); number++) {
        assignOrLog(state, table, number, incarnation);
      }
    }
    deleteLeftovers(state);
  }

  /** Gives an actor its role; its failure keeps no other actor from its own. */
  private void assignOrLog(ClusterState state, TableState table, int number, long incarnation) {
    try {
      table
          .actors()
          .get(number)
          .copyOn(server.name())
          .ifPresent(copy -> assign(state, table, number, copy, incarnation));
    } catch (RuntimeException e) {
      LOG.error("server {} could not take its part in {}", server.name(), table.actorId(number), e);
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
            others(state, actor, known -> known.isRead()),
            others(state, actor, known -> true),
            incarnation));
  }

  /** What was made since then was not restored from anything. */
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
      // One that is being dropped makes room first; the next look at the state begins anew.
      known.assign(assignment);
      return;
    }
    beginning.lock();
    try {
      if (!closed && !forks.isMaking(target.id())) {
        begin(target, assignment);
      }
    } catch (IOException | UniserveException e) {
      server.failures().warn(LOG, target + " cannot be prepared here; it is tried again", e);
    } finally {
      beginning.unlock();
    }
  }

  private void begin(ReplicaTarget target, Assignment assignment) throws IOException {
    Optional<Replica> made = forks.taken(target);
    Replica replica = made.isPresent() ? made.get() : copy(target);
    ReplicaDriver driver = new ReplicaDriver(server, replica, incarnation);
    drivers.put(target.id(), driver);
    driver.start(assignment);
  }

  private Replica copy(ReplicaTarget target) throws IOException {
    return new Replica(
        target, server.engines(), engineThreads, server.environment(), directory(target.id()));
  }

  private void drop(ReplicaDriver driver, ClusterState state) {
    driver.end();
    driver.replica().reads().retire(() -> true);
    ReplicaTarget target = driver.replica().target();
    ActorId id = target.id();
    boolean ofDroppedTable = !state.tables().containsKey(id.table()) && target.backedUp();
    server
        .environment()
        .threads()
        .start(
            "drop of " + target,
            () -> {
              // Another replica may have this directory next.
              driver.close(Deadline.LONGEST);
              deleteForGood(driver.replica());
              drivers.remove(id);
              if (ofDroppedTable) {
                recordDrop(target);
              }
            });
  }

  /** A store that is out of reach for now hears of it later. */
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

  /**
   * Replicas of a former life that this cluster's state does not assign to this server any more.
   */
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
      LOG.warn("replicas of a former life cannot be looked for", e);
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

  /** A disk that does not do it now may do it later. */
  private void deleteForGood(Replica replica) {
    try {
      while (!delete(replica) && !closed) {
        server.environment().clock().sleep(RETRY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Not while somebody else makes a checkpoint of it, such as one for a split. */
  private boolean delete(Replica replica) {
    ReentrantLock checkpointing = replica.checkpoints().checkpointing();
    checkpointing.lock();
    try {
      return delete(directory(replica.target().id()));
    } finally {
      checkpointing.unlock();
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
