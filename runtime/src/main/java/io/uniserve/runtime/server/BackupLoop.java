package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.server.backup.EpochTakenException;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.server.replica.Role;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.wire.cluster.ClusterState;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that backs up the actors that this server leads (DPA §4.3, "asynchronous backup to
 * durable storage"). Each actor has its own pace, so that a slow upload of one does not delay the
 * others.
 */
final class BackupLoop {
  private static final Logger LOG = LoggerFactory.getLogger(BackupLoop.class);
  private static final Duration CATALOG_INTERVAL = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration CLOSING_MAX = Duration.ofSeconds(10);

  private final ServerContext server;
  private final Supplier<Collection<ReplicaDriver>> drivers;
  private final Supplier<ClusterState> state;

  /** The time of each actor's next backup, for actors that have had one. */
  private final Map<ActorId, Long> turnAtNanos = new ConcurrentSkipListMap<>();

  private final Set<ActorId> underWay = new ConcurrentSkipListSet<>();
  private final Signal ended;
  private final KeptCollection kept;
  private volatile boolean closed;

  BackupLoop(
      ServerContext server,
      Supplier<Collection<ReplicaDriver>> drivers,
      Supplier<ClusterState> state) {
    this.server = server;
    this.drivers = drivers;
    this.state = state;
    this.ended = server.environment().threads().signal();
    this.kept = new KeptCollection(server, state);
  }

  void start() {
    server.environment().threads().start("backups of " + server.name(), this::run);
  }

  /**
   * Begins no further backups, and waits for those in progress up to a time limit. So after a
   * server is closed in time, no further checkpoint appears in the store.
   */
  void close() {
    closed = true;
    try {
      if (!underWay.isEmpty() && !ended.await(Deadline.after(clock(), CLOSING_MAX))) {
        LOG.warn("{} is closed while backups of {} are under way", server.name(), underWay);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      long catalogAtNanos = clock().nanos() + CATALOG_INTERVAL.toNanos();
      while (!closed) {
        clock().sleep(server.settings().backups().interval());
        if (lookAtOwner()) {
          drivers.get().forEach(this::begin);
        }
        forgetWhatOthersLead();
        if (clock().nanos() - catalogAtNanos >= 0) {
          collectCatalog();
          catalogAtNanos = clock().nanos() + CATALOG_INTERVAL.toNanos();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Returns whether this server may write to the store; asks only if an actor here is backed up.
   */
  private boolean lookAtOwner() {
    if (drivers.get().stream().noneMatch(driver -> driver.backup().enabled())) {
      return false;
    }
    try {
      server.owner().look();
    } catch (UniserveException e) {
      LOG.warn("server {} cannot read the owner of the durable store", server.name(), e);
    }
    return server.owner().acts();
  }

  private void begin(ReplicaDriver driver) {
    ActorId id = driver.replica().target().id();
    boolean leads = driver.replica().role() instanceof Role.Leading;
    long turn = turnAtNanos.getOrDefault(id, clock().nanos());
    if (leads && driver.backup().enabled() && clock().nanos() - turn >= 0 && underWay.add(id)) {
      if (closed) {
        over(id);
      } else {
        server.environment().threads().start("backup of " + id, () -> maintain(id, driver));
      }
    }
  }

  private void over(ActorId id) {
    underWay.remove(id);
    if (closed && underWay.isEmpty()) {
      ended.set();
    }
  }

  /**
   * Backs up one actor. Backups take at most a quarter of the time, so that they do not slow down
   * the actor.
   */
  private void maintain(ActorId id, ReplicaDriver driver) {
    long beganAtNanos = clock().nanos();
    try {
      driver.backup().maintain(Deadline.after(clock(), PATIENCE));
    } catch (DamagedCopyException e) {
      driver.damaged(e);
    } catch (EpochTakenException e) {
      driver.taken(e);
    } catch (IOException | RuntimeException e) {
      if (driver.replica().role() instanceof Role.Leading) {
        LOG.warn("{} could not be backed up; it is tried again", driver.replica().target(), e);
      } else {
        LOG.debug(
            "{} is not led here any more and is backed up by its new primary",
            driver.replica().target(),
            e);
      }
    } finally {
      long tookNanos = clock().nanos() - beganAtNanos;
      turnAtNanos.put(id, clock().nanos() + 3 * tookNanos);
      over(id);
    }
  }

  /**
   * Forgets what the store holds of actors that other servers lead, since only a primary knows
   * that.
   */
  private void forgetWhatOthersLead() {
    Set<ActorId> led = new ConcurrentSkipListSet<>();
    for (ReplicaDriver driver : drivers.get()) {
      boolean leads = driver.replica().role() instanceof Role.Leading;
      if (leads) {
        led.add(driver.replica().target().id());
      } else if (turnAtNanos.containsKey(driver.replica().target().id())) {
        driver.backup().forget();
      }
    }
    turnAtNanos.keySet().retainAll(led);
  }

  /**
   * Deletes the store's data of tables that were dropped, or were never created. One server of the
   * cluster does this.
   */
  private void collectCatalog() {
    ClusterState now = state.get();
    boolean mine =
        now.servers().keySet().stream()
            .filter(now::alive)
            .findFirst()
            .filter(server.name()::equals)
            .isPresent();
    if (mine && server.owner().acts()) {
      try {
        server.owner().confirm();
        server.backups().catalog().collect(now.cluster(), now.version(), now.tables().keySet());
        kept.collect();
      } catch (UniserveException e) {
        LOG.warn("stored data of dropped tables could not be deleted; it is tried again", e);
      }
    }
  }

  private Clock clock() {
    return server.environment().clock();
  }
}
