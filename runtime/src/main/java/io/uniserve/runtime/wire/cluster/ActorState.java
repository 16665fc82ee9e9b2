package io.uniserve.runtime.wire.cluster;

import java.util.List;
import java.util.Optional;

/**
 * The assignment of one actor.
 *
 * @param epoch the reign of its primary
 * @param primary the server of the primary copy; it may be dead, until another is promoted
 * @param copies every copy, the dead ones included until they are replaced
 * @param committed the last transaction that was decided to happen on it
 * @param move the copy that is being moved, if one is
 */
public record ActorState(
    long epoch,
    String primary,
    List<CopyState> copies,
    Commitment committed,
    Optional<MoveState> move) {
  /** Copies the list. */
  public ActorState {
    copies = List.copyOf(copies);
  }

  /** An actor of which no copy is being moved. */
  public ActorState(long epoch, String primary, List<CopyState> copies, Commitment committed) {
    this(epoch, primary, copies, committed, Optional.empty());
  }

  /** The same with other copies. */
  ActorState withCopies(List<CopyState> newCopies) {
    return new ActorState(epoch, primary, newCopies, committed, move);
  }

  /** The same with another last transaction. */
  ActorState withCommitted(Commitment newCommitted) {
    return new ActorState(epoch, primary, copies, newCommitted, move);
  }

  /** The same with another move, or none. */
  ActorState withMove(Optional<MoveState> newMove) {
    return new ActorState(epoch, primary, copies, committed, newMove);
  }

  /** The copy on this server. */
  public Optional<CopyState> copyOn(String server) {
    for (CopyState copy : copies) {
      if (copy.server().equals(server)) {
        return Optional.of(copy);
      }
    }
    return Optional.empty();
  }
}
