package io.uniserve.runtime.server.query;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.server.actor.MarkReaders;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.engine.Shared;
import io.uniserve.runtime.server.replica.Replica;
import io.uniserve.runtime.server.replica.ReplicaReads.MarkedRead;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.time.Duration;
import java.util.Optional;

/**
 * The reads of one mark (RB §6.7): waits until a copy has reached it. The mark is an entry of the
 * actor's log, so every copy reaches it between the same two updates, and any copy may answer. Of
 * the updates before the mark, those that took the short way must be firm by then; what has a place
 * in the order cannot be lost.
 */
final class MarkReads {
  /** The longest wait; then another copy may have got further. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final ServerContext server;
  private final FirmReads firm;

  MarkReads(ServerContext server, FirmReads firm) {
    this.server = server;
    this.firm = firm;
  }

  /**
   * Returns an actor as of a mark; the caller releases it. May wait.
   *
   * @param generation the generation of the actor's keys, as far as the caller knows
   * @throws UniserveException with {@link ErrorCode#VERSION_GONE} if only a read of a newer mark
   *     can be answered; others, that another copy may mend
   */
  Shared<Actor> acquire(
      ActorId actor, int generation, Replica replica, Mark mark, Deadline deadline) {
    Deadline patience = Deadline.after(server.environment().clock(), PATIENCE).earlier(deadline);
    MarkReaders readers = replica.reads().marks(generation).orElseThrow(() -> unreadable(actor));
    if (!await(readers, mark, patience)) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "actor "
              + actor
              + " has not reached mark "
              + mark.number()
              + " on server "
              + server.name());
    }
    Optional<MarkedRead> read = replica.reads().acquire(generation, mark);
    if (read.isEmpty() && !replica.reads().isRead(generation)) {
      throw unreadable(actor);
    }
    return firm(replica, read.orElseThrow(() -> gone(actor, mark)), deadline);
  }

  /** Returns the actor once all that it shows can no longer be lost. */
  private Shared<Actor> firm(Replica replica, MarkedRead read, Deadline deadline) {
    try {
      firm.await(replica, read.sight(), deadline);
      return read.reader();
    } catch (RuntimeException e) {
      read.reader().release();
      throw e;
    }
  }

  private static UniserveException gone(ActorId actor, Mark mark) {
    return new UniserveException(
        ErrorCode.VERSION_GONE,
        "mark " + mark.number() + " of actor " + actor + " can no longer be read");
  }

  private static boolean await(MarkReaders readers, Mark mark, Deadline patience) {
    try {
      return readers.await(mark, patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, "a read of a mark: interrupted", e);
    }
  }

  private UniserveException unreadable(ActorId id) {
    return new UniserveException(
        ErrorCode.STALE_ROUTING,
        "server " + server.name() + " has no readable copy of actor " + id + ", with these keys");
  }
}
