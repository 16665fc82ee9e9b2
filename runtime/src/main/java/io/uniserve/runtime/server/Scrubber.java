package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.checkpoint.Checkpoint;
import io.uniserve.runtime.server.checkpoint.CheckpointSums;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replica.ReplicaLog;
import io.uniserve.runtime.server.replication.Pace;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The search for damage in files that nobody opens. It reads the checkpoints and the logs of all
 * open replicas, one after another, slowly, and begins again after a pause.
 */
final class Scrubber {
  private static final Logger LOG = LoggerFactory.getLogger(Scrubber.class);

  /** The number of failed reads in a row after which a replica counts as damaged. */
  private static final int FAILURES_MAX = 3;

  private final ServerContext server;
  private final Supplier<Collection<ReplicaDriver>> drivers;

  /** The failed reads in a row of each replica; only for the thread. */
  private final Map<ActorId, Integer> failures = new TreeMap<>();

  private volatile boolean closed;

  Scrubber(ServerContext server, Supplier<Collection<ReplicaDriver>> drivers) {
    this.server = server;
    this.drivers = drivers;
  }

  void start() {
    if (server.settings().scrub().bytesPerSecond() > 0) {
      server.environment().threads().start("scrubber of " + server.name(), this::run);
    }
  }

  void close() {
    closed = true;
  }

  private void run() {
    try {
      while (!closed) {
        clock().sleep(server.settings().scrub().pause());
        Pace pace = new Pace(clock(), server.settings().scrub().bytesPerSecond());
        for (ReplicaDriver driver : drivers.get()) {
          look(driver, pace);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(ReplicaDriver driver, Pace pace) {
    ActorId id = driver.replica().target().id();
    boolean open = driver.replica().held() && !driver.dropped() && !closed;
    if (!open) {
      return;
    }
    try {
      lookAtCheckpoint(driver.replica(), pace);
      lookAtLog(driver.replica(), pace);
      failures.remove(id);
    } catch (DamagedCopyException e) {
      driver.damaged(e);
    } catch (IOException | RuntimeException e) {
      unreadable(driver, e);
    }
  }

  private static void lookAtCheckpoint(Replica replica, Pace pace) throws IOException {
    Checkpoint newest = replica.checkpoints().newestPinned();
    try {
      CheckpointSums.check(newest.directory(), name -> true, pace::moved);
    } finally {
      replica.files().unpin(newest);
    }
  }

  private static void lookAtLog(Replica replica, Pace pace) throws IOException {
    for (ReplicaLog.Piece piece : replica.logPieces()) {
      try {
        piece.file().read(piece.offset());
      } catch (UniserveException e) {
        if (replica.logHas(piece)) {
          throw new DamagedCopyException(e.getMessage(), e);
        }
      } catch (IOException e) {
        if (replica.logHas(piece)) {
          throw e;
        }
      }
      pace.moved(piece.sizeBytes());
    }
  }

  /**
   * Notes that a replica could not be read. It may have been closed meanwhile, or the disk may
   * recover, so one failure proves nothing.
   */
  private void unreadable(ReplicaDriver driver, Exception failure) {
    ActorId id = driver.replica().target().id();
    if (!driver.replica().held() || driver.dropped() || closed) {
      failures.remove(id);
      return;
    }
    LOG.warn("{}: its files could not be read", driver.replica().target(), failure);
    if (failures.merge(id, 1, Integer::sum) >= FAILURES_MAX) {
      failures.remove(id);
      driver.damaged(
          new DamagedCopyException(
              "its files could not be read: " + failure.getMessage(), failure));
    }
  }

  private Clock clock() {
    return server.environment().clock();
  }
}
