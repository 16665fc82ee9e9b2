package io.uniserve.runtime.server.query;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.server.replica.OpenTransaction;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.ReadPoint;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.time.Duration;
import java.util.Optional;

/**
 * The reads of one version: finds what each actor was at that version (DPA §4.2, "either sees an
 * update applied to all actors or to none of them"). A copy is right at a version once it has
 * applied everything decided up to it. It may have prepared a transaction of that version or before
 * and not have heard yet that it was committed; then the read waits. It cannot lack more, since
 * nothing is decided before every readable copy has prepared it.
 */
public final class VersionReads {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ServerContext server;
  private final StateSubscription subscription;
  private final MarkReads marks;

  public VersionReads(ServerContext server, StateSubscription subscription, FirmReads firm) {
    this.server = server;
    this.subscription = subscription;
    this.marks = new MarkReads(server, firm);
  }

  /**
   * Returns an actor as of a point in its table's history; the caller releases it. May wait.
   *
   * @param generation the generation of the actor's keys, as far as the caller knows
   * @throws UniserveException that another copy, or a newer point, may mend
   */
  Shared<Actor> acquire(
      ActorId actor, int generation, Replica replica, ReadPoint point, Deadline deadline) {
    return switch (point) {
      case ReadPoint.Version version ->
          acquire(actor, generation, replica, version.number(), deadline);
      case ReadPoint.Mark mark -> marks.acquire(actor, generation, replica, mark, deadline);
    };
  }

  /**
   * Returns an actor as of a version; the caller releases it. May wait. A client may know a version
   * that was decided after a split, but not the split. It then asks for a generation that did not
   * exist at that version.
   *
   * @param generation the generation of the actor's keys, as far as the caller knows
   * @throws UniserveException that another copy, or a newer version, may mend
   */
  private Shared<Actor> acquire(
      ActorId actor, int generation, Replica replica, long version, Deadline deadline) {
    Deadline patience = Deadline.after(server.environment().clock(), PATIENCE).earlier(deadline);
    ClusterState state = awaitVersion(actor.table(), version, patience);
    Commitment last = requireReady(state, actor).committed();
    if (state.tables().get(actor.table()).definition().partitioner().generation(actor.number())
        > generation) {
      throw unreadable(actor);
    }
    Optional<OpenTransaction> lacking =
        replica
            .undecided()
            .filter(open -> open.is(last.transaction()) && last.version() <= version);
    if (lacking.isPresent()) {
      awaitEnd(lacking.get(), actor, patience);
    }
    return replica
        .reads()
        .acquire(generation, version)
        .orElseThrow(
            () ->
                replica.reads().isRead(generation)
                    ? new UniserveException(
                        ErrorCode.VERSION_GONE,
                        "version " + version + " of actor " + actor + " is not kept any more")
                    : unreadable(actor));
  }

  /**
   * Requires that this server's copy counts as readable. Such a copy had to prepare everything
   * decided until then. A copy that the cluster has given up may lack later decisions.
   */
  private ActorState requireReady(ClusterState state, ActorId id) {
    return state
        .actor(id)
        .filter(actor -> state.alive(server.name()))
        .filter(
            actor ->
                actor
                    .copyOn(server.name())
                    .filter(copy -> copy.status() == CopyState.Status.READY)
                    .isPresent())
        .orElseThrow(() -> unreadable(id));
  }

  private UniserveException unreadable(ActorId id) {
    return new UniserveException(
        ErrorCode.STALE_ROUTING,
        "server " + server.name() + " has no readable copy of actor " + id + ", with these keys");
  }

  /** Returns the state that has all decisions up to the version. */
  private ClusterState awaitVersion(long table, long version, Deadline patience) {
    try {
      return subscription.await(
          state -> versionOf(state, table) >= version, patience, "version " + version);
    } catch (UniserveException e) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "server " + server.name() + " has not heard of version " + version + " of table " + table,
          e);
    }
  }

  /** Returns a table's version. A dropped table is not waited for. */
  private static long versionOf(ClusterState state, long table) {
    TableState known = state.tables().get(table);
    return known == null ? Long.MAX_VALUE : known.version();
  }

  private static void awaitEnd(OpenTransaction open, ActorId actor, Deadline patience) {
    try {
      if (open.settled().await(patience)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new UniserveException(
        ErrorCode.UNAVAILABLE, "actor " + actor + " has not yet applied a committed transaction");
  }
}
