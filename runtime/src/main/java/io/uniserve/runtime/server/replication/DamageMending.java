package io.uniserve.runtime.server.replication;

import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.keys.DamagedKeysException;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replica.Role;
import io.uniserve.runtime.wire.entry.Position;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The repair of damaged files of one open replica. The open replica itself may be sound; then its
 * files are written anew. If it is not, another copy takes over, and this one is restored from that
 * copy or from the durable store.
 */
final class DamageMending {
  private static final Logger LOG = LoggerFactory.getLogger(DamageMending.class);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final ServerContext server;
  private final Replica replica;
  private final ReplicaDriver driver;

  DamageMending(ServerContext server, Replica replica, ReplicaDriver driver) {
    this.server = server;
    this.replica = replica;
    this.driver = driver;
  }

  /** Handles damage that was found. A repair that fails is tried when the damage is found again. */
  void found(DamagedCopyException damage) {
    LOG.error("{}: {}", replica.target(), damage.getMessage());
    try {
      if (replica.checkpoints().renew()) {
        LOG.warn("{}: its files were written anew from the open copy", replica.target());
      }
    } catch (DamagedCopyException | EngineFailedException e) {
      if (!EngineFailedException.outOfRoom(e)) {
        giveUp(e);
      }
    } catch (IOException | UniserveException e) {
      LOG.warn("{}: its files could not be written anew yet", replica.target(), e);
    }
  }

  /** Handles damage of a file that the open replica itself reads. */
  void foundInUse(DamagedKeysException damage) {
    server.failures().warn(LOG, replica.target() + " cannot tell what it has applied", damage);
    giveUp(damage);
  }

  /** Gives up the replica's data, since it cannot be written anew. */
  private void giveUp(UniserveException damage) {
    Assignment now = driver.assignment();
    if (now.readable().isEmpty() && !driver.backup().enabled()) {
      server
          .failures()
          .warn(
              LOG,
              replica.target()
                  + ": the open copy is damaged, too; it stays in use, since there is no other copy",
              damage);
    } else if (handsOn(now)) {
      LOG.error(
          "{}: this copy is given up and restored from another source: {}",
          replica.target(),
          damage.getMessage());
      replica.giveUp();
      driver.failed(new EngineFailedException("copy of " + replica.target(), damage));
    }
  }

  /**
   * Returns whether a readable copy, or the store, has all acknowledged updates. If so, this
   * replica acknowledges nothing more.
   */
  private boolean handsOn(Assignment now) {
    if (!(replica.role() instanceof Role.Leading(long epoch))) {
      return true;
    }
    Optional<Position> end = replica.beginHandOver(epoch);
    if (end.isEmpty()) {
      return false;
    }
    driver.followers().reconsider();
    try {
      Deadline deadline = Deadline.after(server.environment().clock(), PATIENCE);
      if (now.readable().isEmpty()) {
        driver.backup().flush(deadline);
      } else {
        driver.followers().await(now::readable, end.get(), deadline);
      }
      return true;
    } catch (UniserveException e) {
      LOG.warn("{}: no other copy has all of its updates yet", replica.target(), e);
      replica.endHandOver(epoch, end.get(), false, epoch);
      driver.followers().reconsider();
      return false;
    }
  }
}
