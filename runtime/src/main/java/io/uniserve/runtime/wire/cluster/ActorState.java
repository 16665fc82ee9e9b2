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
 */
public record ActorState(long epoch, String primary, List<CopyState> copies, Commitment committed) {
  /** Copies the list. */
  public ActorState {
    copies = List.copyOf(copies);
  }

  /** The same with other copies. */
  ActorState withCopies(List<CopyState> newCopies) {
    return new ActorState(epoch, primary, newCopies, committed);
  }

  /** The same with another last transaction. */
  ActorState withCommitted(Commitment newCommitted) {
    return new ActorState(epoch, primary, copies, newCommitted);
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
