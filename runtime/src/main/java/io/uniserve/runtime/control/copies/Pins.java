package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.ControlMessage.PinActor;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorPinned;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.Optional;

/** The pins of actors to servers: policies put a copy there, and nobody removes it. */
public final class Pins {
  private Pins() {}

  /**
   * Returns the record for a request; empty if nothing changes.
   *
   * @throws UniserveException that says why it cannot be
   */
  public static Optional<ActorPinned> record(ClusterState state, PinActor request) {
    ActorId id = MoveRequests.actor(state, request.table(), request.actor());
    MoveRequests.requireNoRing(state.requireTable(request.table()));
    ActorState actor = state.actor(id).orElseThrow();
    if (actor.pins().contains(request.server()) == request.pinned()) {
      return Optional.empty();
    }
    if (request.pinned()) {
      if (MoveRequests.requireServer(state, request.server()).draining()) {
        throw UniserveException.invalid(
            "server " + request.server() + " is being drained: nothing can be pinned to it");
      }
    }
    return Optional.of(new ActorPinned(id, request.server(), request.pinned()));
  }

  /**
   * Checks that a copy may leave a server.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT}
   */
  static void requireUnpinned(TableState table, int number, String server) {
    if (table.actors().get(number).pins().contains(server)) {
      throw UniserveException.invalid(
          "actor "
              + number
              + " of table '"
              + table.definition().name()
              + "' is pinned to server "
              + server
              + ": unpin it first");
    }
  }

  /** Checks that nothing is pinned to a server that is to be emptied. */
  static void requireUnpinned(ClusterState state, String server) {
    for (TableState table : state.tables().values()) {
      table.forEachActor((id, actor) -> requireUnpinned(table, id.number(), server));
    }
  }
}
