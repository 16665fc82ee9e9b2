package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.ControlMessage.MoveActor;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.List;

/** The checks of requests to move copies. */
public final class MoveRequests {
  private MoveRequests() {}

  /** Returns the actor that a request names. */
  public static ActorId actor(ClusterState state, String name, int number) {
    TableState table = state.requireTable(name);
    if (number < 0 || number >= table.actors().size()) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND,
          "table '"
              + name
              + "' has no actor "
              + number
              + "; its actors are 0 to "
              + (table.actors().size() - 1));
    }
    if (table.actors().get(number).ended()) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND,
          "actor " + number + " of table '" + name + "' was merged with another");
    }
    return table.actorId(number);
  }

  /**
   * Checks that a copy can be moved.
   *
   * @throws UniserveException that says why not
   */
  static void require(ClusterState state, ActorId id, MoveActor request) {
    ActorState actor = state.actor(id).orElseThrow();
    String what = "actor " + request.actor() + " of table '" + request.table() + "'";
    requireNoRing(state.requireTable(request.table()));
    actor
        .move()
        .ifPresent(
            move -> {
              throw new UniserveException(
                  ErrorCode.ALREADY_EXISTS,
                  what + " is being moved already, from " + move.from() + " to " + move.to());
            });
    if (actor.reshaping().isPresent()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, what + " is being split or merged: try again later");
    }
    requireAlive(state, request.from());
    Pins.requireUnpinned(state.requireTable(request.table()), request.actor(), request.from());
    requireTarget(state, request.to());
    List<String> holders = actor.copies().stream().map(CopyState::server).toList();
    if (!holders.contains(request.from())) {
      throw UniserveException.invalid(
          "server " + request.from() + " holds no copy of " + what + "; these do: " + holders);
    }
    if (holders.contains(request.to())) {
      throw UniserveException.invalid(
          "server "
              + request.to()
              + " holds a copy of "
              + what
              + " already; two of its copies cannot share a server");
    }
  }

  /**
   * Checks that a table's actors are where requests and policies want them.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if they are on a ring
   */
  public static void requireNoRing(TableState table) {
    if (table.ring().isPresent()) {
      throw UniserveException.invalid(
          "table '"
              + table.definition().name()
              + "' is placed on a ring of servers: change the ring instead");
    }
  }

  /** Returns a server by name, alive or not. */
  static ServerState requireServer(ClusterState state, String name) {
    ServerState server = state.servers().get(name);
    if (server == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND,
          "there is no server '" + name + "'; there are " + state.servers().keySet());
    }
    return server;
  }

  private static ServerState requireAlive(ClusterState state, String name) {
    ServerState server = requireServer(state, name);
    if (!server.alive()) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, "server " + name + " is not alive");
    }
    return server;
  }

  private static void requireTarget(ClusterState state, String name) {
    ServerState server = requireAlive(state, name);
    if (server.draining() || server.leaving()) {
      throw UniserveException.invalid(
          "server " + name + " takes no copies: it is being drained or about to end");
    }
  }

  /**
   * Checks that the other servers can hold everything that a server has.
   *
   * @throws UniserveException that names a table whose copies they cannot hold
   */
  static void requireDrainable(ClusterState state, String name) {
    if (!requireServer(state, name).alive()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "server " + name + " is not alive: nothing can be moved from it");
    }
    Pins.requireUnpinned(state, name);
    long others =
        state.servers().keySet().stream()
            .filter(other -> !other.equals(name) && state.takesCopies(other))
            .count();
    for (TableState table : state.tables().values()) {
      boolean held = table.actors().stream().anyMatch(actor -> actor.copyOn(name).isPresent());
      if (held && table.definition().replicas() > others) {
        throw UniserveException.invalid(
            "server "
                + name
                + " cannot be drained: table '"
                + table.definition().name()
                + "' keeps "
                + table.definition().replicas()
                + " copies on as many servers, and "
                + others
                + " others take copies; start another server first");
      }
    }
  }
}
