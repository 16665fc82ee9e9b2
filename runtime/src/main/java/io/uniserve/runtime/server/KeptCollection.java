package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.store.BackupPlace;
import io.uniserve.runtime.wire.ControlMessage.AskVersion;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.KeptOutput;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Deletes what plans have kept in the durable store and no table needs: that of plans that failed
 * or whose client died, of tables that were dropped, and of those that have checkpoints of their
 * own by now.
 */
final class KeptCollection {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

  private final ServerContext server;
  private final Supplier<ClusterState> state;

  KeptCollection(ServerContext server, Supplier<ClusterState> state) {
    this.server = server;
    this.state = state;
  }

  /**
   * Collects, unless this server's state is an old one. The coordinator makes no table of an output
   * that had expired when it was asked for its version, so that all tables that need one are known.
   *
   * @throws UniserveException if coordinator or store do not answer
   */
  void collect() {
    Instant asked = server.environment().clock().now();
    Deadline deadline = Deadline.after(server.environment().clock(), ANSWER_TIMEOUT);
    long version = server.routers().ask(new AskVersion(), Changed.class, deadline).version();
    ClusterState now = state.get();
    if (now.version() >= version) {
      server
          .backups()
          .collectKept(
              now.cluster(),
              asked,
              output ->
                  needed(now, output, place -> server.backups().history(place).based().hasBase()));
    }
  }

  /**
   * Whether a table needs an output.
   *
   * @param based whether the store has a checkpoint of an actor, or all of its log
   */
  static boolean needed(ClusterState now, KeptOutput output, Predicate<BackupPlace> based) {
    return now.tables().values().stream()
        .filter(table -> table.origin().filter(o -> o.cluster().equals(output.place())).isPresent())
        .anyMatch(table -> hasEmptyCopy(table) || lacksCheckpoints(now.cluster(), table, based));
  }

  /** A copy of a new table may still have to load its origin. */
  private static boolean hasEmptyCopy(TableState table) {
    return table.actors().stream()
        .map(ActorState::copies)
        .anyMatch(copies -> copies.stream().anyMatch(copy -> copy.status() == Status.EMPTY));
  }

  /** An actor that loses all its copies before its first checkpoint is made of the origin again. */
  private static boolean lacksCheckpoints(
      String cluster, TableState table, Predicate<BackupPlace> based) {
    return ReplicaTarget.backedUp(table.definition())
        && table.living().keySet().stream()
            .map(number -> new BackupPlace(cluster, new ActorId(table.id(), number)))
            .anyMatch(based.negate());
  }
}
