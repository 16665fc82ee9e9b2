package io.uniserve.runtime.wire.cluster;

import java.util.List;
import java.util.Optional;

/**
 * The assignment of one actor.
 *
 * @param epoch the reign of its primary
 * @param primary the server of the primary copy; it may be dead, until another is promoted
 * @param copies every copy, the dead ones included until they are replaced
 */
public record ActorState(long epoch, String primary, List<CopyState> copies) {
  /** Copies the list. */
  public ActorState {
    copies = List.copyOf(copies);
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
