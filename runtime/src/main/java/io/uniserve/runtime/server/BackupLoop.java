package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Backs up, in the background and one after another, the actors that this server leads and that
 * have changed (DPA §4.3, "asynchronous backup to durable storage"). A backup uploads only the
 * files that the store does not have.
 */
final class BackupLoop {
  private static final Logger LOG = LoggerFactory.getLogger(BackupLoop.class);

  private final ServerContext server;
  private final Supplier<Collection<ReplicaDriver>> drivers;
  private final Map<ActorId, Position> backedUp = new ConcurrentSkipListMap<>();
  private volatile boolean closed;

  BackupLoop(ServerContext server, Supplier<Collection<ReplicaDriver>> drivers) {
    this.server = server;
    this.drivers = drivers;
  }

  void start() {
    server.environment().threads().start("backups of " + server.name(), this::run);
  }

  void close() {
    closed = true;
  }

  /** What this server has put into the durable store of an actor, if anything since its start. */
  Optional<Position> backedUp(ActorId actor) {
    return Optional.ofNullable(backedUp.get(actor));
  }

  private void run() {
    try {
      Duration pause = server.settings().backupInterval();
      while (!closed) {
        server.environment().clock().sleep(pause);
        long beganAtNanos = server.environment().clock().nanos();
        forgetWhatOthersLead();
        for (ReplicaDriver driver : drivers.get()) {
          if (!closed && due(driver.replica())) {
            backUp(driver.replica());
          }
        }
        pause = pauseAfter(Duration.ofNanos(server.environment().clock().nanos() - beganAtNanos));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Backups take at most a quarter of the time, lest they slow down what they protect. */
  private Duration pauseAfter(Duration took) {
    Duration rest = took.multipliedBy(3);
    Duration interval = server.settings().backupInterval();
    return rest.compareTo(interval) > 0 ? rest : interval;
  }

  /** What the store holds of an actor is known only to its primary. */
  private void forgetWhatOthersLead() {
    SortedSet<ActorId> led = new TreeSet<>();
    for (ReplicaDriver driver : drivers.get()) {
      if (driver.replica().role() instanceof Role.Leading) {
        led.add(driver.replica().target().id());
      }
    }
    for (ActorId actor : List.copyOf(backedUp.keySet())) {
      if (!led.contains(actor)) {
        backedUp.remove(actor);
        server.backups().forget(actor);
      }
    }
  }

  private boolean due(Replica replica) {
    return ReplicaDriver.backedUp(replica.target())
        && replica.role() instanceof Role.Leading
        && !replica.position().equals(backedUp.get(replica.target().id()));
  }

  private void backUp(Replica replica) {
    try {
      Checkpoint checkpoint = replica.checkpoint();
      try {
        ActorId id = replica.target().id();
        server.backups().backup(id, checkpoint.position(), checkpoint.directory());
        backedUp.put(id, checkpoint.position());
        server.backups().prune(id);
      } finally {
        replica.files().unpin(checkpoint);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} could not be backed up; it is tried again", replica.target(), e);
    }
  }
}
