package io.uniserve.runtime.wire.cluster;

import java.util.List;
import java.util.Optional;

/**
 * The assignment of one actor.
 *
 * @param epoch the reign of its primary
 * @param primary the server of the primary copy; it may be dead, until another is promoted
 * @param copies every copy, the dead ones included until they are replaced
 * @param move the copy that is being moved, if one is
 */
public record ActorState(
    long epoch, String primary, List<CopyState> copies, Optional<MoveState> move) {
  /** Copies the list. */
  public ActorState {
    copies = List.copyOf(copies);
  }

  /** An actor of which no copy is being moved. */
  public ActorState(long epoch, String primary, List<CopyState> copies) {
    this(epoch, primary, copies, Optional.empty());
  }

  /** The same actor with other copies. */
  ActorState withCopies(List<CopyState> changed) {
    return new ActorState(epoch, primary, changed, move);
  }

  /** The same actor with another move, or none. */
  ActorState withMove(Optional<MoveState> changed) {
    return new ActorState(epoch, primary, copies, changed);
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
