package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.server.actor.ReplicaTarget;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.store.backup.BackupPlace;
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
 * The deletion of outputs that plans have kept in the durable store and no table needs. Such are
 * outputs of failed plans and of plans whose client died, outputs of dropped tables, and outputs
 * whose tables have checkpoints of their own by now.
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
   * Deletes unneeded outputs, if this server's state is recent enough. The coordinator makes no
   * table of an output that had expired when the coordinator was asked for its version. So the
   * state of that version has all tables that need an expired output.
   *
   * @throws UniserveException if coordinator or store do not answer
   */
  void collect() {
    Instant asked = server.environment().clock().now();
    Deadline deadline = Deadline.after(server.environment().clock(), ANSWER_TIMEOUT);
    long version = server.controllers().ask(new AskVersion(), Changed.class, deadline).version();
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
   * Returns whether a table needs an output.
   *
   * @param based tells whether the store has a checkpoint of an actor, or all of its log
   */
  static boolean needed(ClusterState now, KeptOutput output, Predicate<BackupPlace> based) {
    return now.tables().values().stream()
        .filter(table -> table.origin().filter(o -> o.cluster().equals(output.place())).isPresent())
        .anyMatch(table -> hasEmptyCopy(table) || lacksCheckpoints(now.cluster(), table, based));
  }

  /** Returns whether a copy of a new table may still have to load its origin. */
  private static boolean hasEmptyCopy(TableState table) {
    return table.actors().stream()
        .map(ActorState::copies)
        .anyMatch(copies -> copies.stream().anyMatch(copy -> copy.status() == Status.EMPTY));
  }

  /**
   * Returns whether an actor has no checkpoint of its own. If it lost all its copies now, it would
   * be made of the origin again.
   */
  private static boolean lacksCheckpoints(
      String cluster, TableState table, Predicate<BackupPlace> based) {
    return ReplicaTarget.backedUp(table.definition())
        && table.living().keySet().stream()
            .map(number -> new BackupPlace(cluster, new ActorId(table.id(), number)))
            .anyMatch(based.negate());
  }
}
