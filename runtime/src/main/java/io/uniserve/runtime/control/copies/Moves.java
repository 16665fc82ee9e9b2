package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.settings.RepairSettings;
import io.uniserve.runtime.wire.ControlMessage.CancelMove;
import io.uniserve.runtime.wire.ControlMessage.MoveActor;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorPlaced;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyRemoved;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyRetiring;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveEnded;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveEnded.Outcome;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveRequested;
import io.uniserve.runtime.wire.cluster.ControlRecord.ServerDraining;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.MoveState;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The moves of copies between servers (DPA §4.4). The new copy is loaded, catches up and is warmed.
 * Only then, if the old copy leads, the lead goes over to the new one. Clients that know of the
 * move no longer read the old copy. It is removed once its server says that it answers no reads.
 * Until that step the actor has one copy more than it needs, so queries and updates go on
 * throughout.
 *
 * <p>The whole state of a move is in the control log, so another coordinator continues it from
 * there.
 */
public final class Moves {
  private final Decisions decisions;
  private final Repairs repairs;
  private final HandOvers handOvers;
  private final MoveSlots slots;

  public Moves(Decisions decisions, Repairs repairs, HandOvers handOvers, RepairSettings settings) {
    this.decisions = decisions;
    this.repairs = repairs;
    this.handOvers = handOvers;
    this.slots = new MoveSlots(decisions, settings);
  }

  /** Records a move, and returns the actor. The move begins when there is room for one more. */
  public ActorId request(MoveActor request) {
    ActorId id = MoveRequests.actor(decisions.state(), request.table(), request.actor());
    MoveRequests.require(decisions.state(), id, request);
    decisions.record(List.of(new MoveRequested(id, request.from(), request.to(), "asked for")));
    slots.fill();
    return id;
  }

  /** Cancels a move that has not gone too far, and returns the actor. */
  public ActorId cancel(CancelMove request) {
    ActorId id = MoveRequests.actor(decisions.state(), request.table(), request.actor());
    ActorState actor = decisions.state().actor(id).orElseThrow();
    String what = "actor " + request.actor() + " of table '" + request.table() + "'";
    MoveState move =
        actor
            .move()
            .orElseThrow(
                () -> new UniserveException(ErrorCode.NOT_FOUND, what + " is not being moved"));
    if (move.stage(actor) == MoveState.Stage.RETIRING || actor.primary().equals(move.to())) {
      throw UniserveException.invalid(
          what + " is served by " + move.to() + " already: move it back instead");
    }
    if (draining(move.from())) {
      throw UniserveException.invalid(
          what + " is moved because server " + move.from() + " is drained: undrain it instead");
    }
    end(id, actor, Outcome.CANCELLED, "cancelled");
    return id;
  }

  /** Begins or ends to empty a server. */
  public void drain(String server, boolean draining, String why) {
    ServerState known = MoveRequests.requireServer(decisions.state(), server);
    if (known.draining() == draining) {
      return;
    }
    if (draining) {
      MoveRequests.requireDrainable(decisions.state(), server);
    }
    decisions.record(List.of(new ServerDraining(server, draining, why)));
    if (draining) {
      slots.fill();
    } else {
      endAllFrom(server);
    }
  }

  private void endAllFrom(String server) {
    decisions
        .state()
        .forEachActor(
            (id, actor) -> {
              boolean early =
                  actor
                      .move()
                      .filter(move -> move.from().equals(server))
                      .filter(move -> move.stage(actor) != MoveState.Stage.RETIRING)
                      .isPresent();
              if (early) {
                end(id, actor, Outcome.CANCELLED, "its server is used again");
              }
            });
  }

  private boolean draining(String server) {
    ServerState known = decisions.state().servers().get(server);
    return known != null && known.draining();
  }

  /** Begins waiting moves, as far as there is room. */
  public void begin() {
    slots.fill();
  }

  /** Handles a server without room for a copy. If the copy was to be moved there, it stays. */
  void noRoom(ActorId id, String server, String why) {
    ActorState actor = decisions.state().actor(id).orElseThrow();
    if (actor.move().filter(move -> move.to().equals(server)).isPresent()) {
      end(id, actor, Outcome.FAILED, "no room on server " + server + ": " + why);
    } else if (isExtra(id, actor, server)) {
      List<String> others =
          actor.placed().orElseThrow().servers().stream()
              .filter(other -> !other.equals(server))
              .toList();
      decisions.record(
          List.of(
              new CopyRemoved(id, server, "no room for one more copy: " + why),
              new ActorPlaced(id, others, "server " + server + " had no room")));
    }
  }

  /** Returns whether a copy that cannot be read yet was made only for its actor's load. */
  private boolean isExtra(ActorId id, ActorState actor, String server) {
    int replicas = decisions.state().tables().get(id.table()).definition().replicas();
    return actor.copies().size() > replicas
        && actor.placed().filter(placed -> placed.wants(server)).isPresent()
        && !actor.primary().equals(server)
        && actor.copyOn(server).filter(copy -> copy.status() == Status.LOADING).isPresent();
  }

  /** Takes an actor's move a step further, if it has one. */
  public void advance(ActorId id) {
    ActorState actor = decisions.state().actor(id).orElseThrow();
    actor.move().ifPresent(move -> advance(id, actor, move));
  }

  private void advance(ActorId id, ActorState actor, MoveState move) {
    Optional<String> obstacle = obstacle(id, actor, move);
    if (obstacle.isPresent()) {
      end(id, actor, Outcome.FAILED, obstacle.get());
      return;
    }
    switch (move.stage(actor)) {
      case WAITING, LOADING, RETIRING -> {
        // The move begins when there is room; after that its servers report when they are done.
      }
      case HANDING_OVER -> publish(id, actor, move);
    }
  }

  private Optional<String> obstacle(ActorId id, ActorState actor, MoveState move) {
    boolean waiting = actor.copyOn(move.to()).isEmpty();
    if (actor.copyOn(move.from()).isEmpty()) {
      return Optional.of("server " + move.from() + " has no copy of it any more");
    }
    if (!decisions.state().alive(move.from())) {
      return Optional.of("server " + move.from() + " failed");
    }
    if (waiting ? !decisions.state().takesCopies(move.to()) : !decisions.state().alive(move.to())) {
      return Optional.of("server " + move.to() + " takes no copies any more");
    }
    if (move.stage(actor) == MoveState.Stage.HANDING_OVER && repairs.isNeeded(id, move.from())) {
      return Optional.of(
          "the copy on server " + move.from() + " is needed: no server is left for another");
    }
    return Optional.empty();
  }

  /**
   * Makes the old copy retire. That includes a copy that counts as unreadable, since its server may
   * not know so yet.
   */
  private void publish(ActorId id, ActorState actor, MoveState move) {
    if (actor.primary().equals(move.from())) {
      handOvers.begin(
          id, actor, move.to(), "handed over by " + move.from() + ", which gives its copy up");
    } else if (repairs.canSpare(id, move.from())) {
      decisions.record(List.of(new CopyRetiring(id, move.from(), "moved to " + move.to())));
    }
  }

  /**
   * Ends a move. A new copy that can be read stays until it is surplus; one that cannot is removed
   * at once.
   */
  private void end(ActorId id, ActorState actor, Outcome outcome, String why) {
    MoveState move = actor.move().orElseThrow();
    List<ControlRecord> records = new ArrayList<>();
    boolean unfinished =
        actor
            .copyOn(move.to())
            .filter(copy -> copy.status() == Status.LOADING)
            .filter(copy -> !actor.primary().equals(copy.server()))
            .filter(copy -> decisions.state().alive(move.from()))
            .isPresent();
    if (unfinished) {
      records.add(new CopyRemoved(id, move.to(), "its move has ended: " + why));
    }
    records.add(new MoveEnded(id, move.from(), move.to(), outcome, why));
    decisions.record(records);
    slots.fill();
  }
}
