package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.server.backup.ReplicaBackup;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.checkpoint.DamagedCopyException;
import io.uniserve.runtime.server.replica.Role;
import io.uniserve.runtime.server.replication.ReplicaDriver;
import io.uniserve.runtime.server.restore.RestorePlanner;
import io.uniserve.runtime.wire.BackupMessage;
import io.uniserve.runtime.wire.BackupMessage.AskStoredTables;
import io.uniserve.runtime.wire.BackupMessage.BackUp;
import io.uniserve.runtime.wire.BackupMessage.BackedUp;
import io.uniserve.runtime.wire.BackupMessage.PlanRecovery;
import io.uniserve.runtime.wire.BackupMessage.PlanRestore;
import io.uniserve.runtime.wire.BackupMessage.StoredTables;
import io.uniserve.runtime.wire.OrderedMessage.AskPlaced;
import io.uniserve.runtime.wire.OrderedMessage.PlacedUpdates;
import io.uniserve.runtime.wire.cluster.ClusterState;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The answers to clients' requests about the durable store. Each runs on a light thread of its own.
 */
final class Backups {
  private final ServerContext server;
  private final Function<ActorId, Optional<ReplicaDriver>> drivers;
  private final Supplier<String> cluster;
  private final Function<Deadline, ClusterState> newest;

  /**
   * @param cluster the cluster's identity
   * @param newest returns a state with everything that was decided before
   */
  Backups(
      ServerContext server,
      Function<ActorId, Optional<ReplicaDriver>> drivers,
      Supplier<String> cluster,
      Function<Deadline, ClusterState> newest) {
    this.server = server;
    this.drivers = drivers;
    this.cluster = cluster;
    this.newest = newest;
  }

  void handle(BackupMessage request, Incoming call) {
    server.environment().threads().start("backup request", () -> run(request, call));
  }

  private void run(BackupMessage request, Incoming call) {
    try {
      call.reply(answer(request, call.deadline()));
      call.complete();
    } catch (RuntimeException e) {
      call.fail(UniserveException.of(e));
    } catch (IOException e) {
      call.fail(
          new UniserveException(
              ErrorCode.UNAVAILABLE, "files of an actor cannot be read: " + e.getMessage(), e));
    }
  }

  private BackupMessage answer(BackupMessage request, Deadline deadline) throws IOException {
    return switch (request) {
      case BackUp backUp -> backUp(backUp.actor(), deadline);
      case AskStoredTables ask -> new StoredTables(server.backups().catalog().tables());
      case PlanRestore plan -> planner(deadline).plan(cluster.get(), plan);
      case PlanRecovery plan -> planner(deadline).plan(cluster.get(), plan);
      default ->
          throw UniserveException.invalid(
              "a server is not asked for " + request.getClass().getSimpleName());
    };
  }

  private RestorePlanner planner(Deadline deadline) {
    return new RestorePlanner(
        server,
        new RestorePlanner.Decided() {
          @Override
          public ClusterState state() {
            return newest.apply(deadline);
          }

          @Override
          public PlacedUpdates placed(long table) {
            return server.controllers().ask(new AskPlaced(table), PlacedUpdates.class, deadline);
          }
        });
  }

  private BackedUp backUp(ActorId actor, Deadline deadline) throws IOException {
    ReplicaBackup backup =
        drivers
            .apply(actor)
            .filter(driver -> driver.replica().role() instanceof Role.Leading)
            .map(ReplicaDriver::backup)
            .orElseThrow(
                () ->
                    new UniserveException(
                        ErrorCode.STALE_ROUTING,
                        "server " + server.name() + " does not lead actor " + actor));
    if (!backup.enabled()) {
      throw UniserveException.invalid("the table of actor " + actor + " has durability 'none'");
    }
    try {
      backup.makeCheckpoint(deadline);
    } catch (DamagedCopyException e) {
      drivers.apply(actor).ifPresent(driver -> driver.damaged(e));
      throw new UniserveException(ErrorCode.UNAVAILABLE, e.getMessage(), e);
    }
    return new BackedUp(backup.stored().orElseThrow());
  }
}
