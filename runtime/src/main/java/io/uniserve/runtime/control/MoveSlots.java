package io.uniserve.runtime.control;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyAdded;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveRequested;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.MoveState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * Bounds how much is being moved and copied at a time. First come the moves that were asked for, in
 * the order of their actors, then what draining servers hold, then what placement policies want.
 */
final class MoveSlots {
  private final Decisions decisions;
  private final RepairSettings settings;

  MoveSlots(Decisions decisions, RepairSettings settings) {
    this.decisions = decisions;
    this.settings = settings;
  }

  /** Begins as many moves as there is room for. */
  void fill() {
    Filling filling = new Filling(decisions.state());
    filling.forEachActor(filling::count);
    filling.forEachActor(filling::beginRequested);
    if (filling.anyDraining()) {
      filling.forEachActor(filling::beginDrain);
    }
    if (!filling.state.placementPaused()) {
      filling.forEachActor(filling::beginPlaced);
    }
    if (!filling.records.isEmpty()) {
      decisions.record(filling.records);
    }
  }

  /** One look at the whole cluster. */
  private final class Filling {
    private final ClusterState state;
    private final List<ControlRecord> records = new ArrayList<>();
    private final TreeMap<String, Integer> copies = new TreeMap<>();
    private final TreeMap<String, Integer> loading = new TreeMap<>();
    private final TreeSet<ActorId> begun = new TreeSet<>();
    private int moves;

    Filling(ClusterState state) {
      this.state = state;
    }

    void forEachActor(BiConsumer<ActorId, ActorState> action) {
      for (TableState table : state.tables().values()) {
        for (int number = 0; number < table.actors().size(); number++) {
          action.accept(table.actorId(number), table.actors().get(number));
        }
      }
    }

    boolean anyDraining() {
      return state.servers().values().stream().anyMatch(ServerState::draining);
    }

    void count(ActorId id, ActorState actor) {
      actor.copies().forEach(copy -> copies.merge(copy.server(), 1, Integer::sum));
      actor
          .move()
          .filter(move -> move.stage(actor) == MoveState.Stage.LOADING)
          .ifPresent(move -> take(move.from(), move.to()));
      if (actor.move().isEmpty()) {
        actor.copies().stream()
            .filter(copy -> copy.status() == Status.LOADING && state.alive(copy.server()))
            .filter(copy -> actor.wanted().contains(copy.server()))
            .forEach(copy -> take(copy.server()));
      }
    }

    private void take(String to) {
      moves++;
      loading.merge(to, 1, Integer::sum);
    }

    private void take(String from, String to) {
      moves++;
      loading.merge(from, 1, Integer::sum);
      loading.merge(to, 1, Integer::sum);
    }

    private boolean room(String server) {
      return moves < settings.movesMax()
          && loading.getOrDefault(server, 0) < settings.movesPerServerMax();
    }

    void beginRequested(ActorId id, ActorState actor) {
      actor
          .move()
          .filter(move -> move.stage(actor) == MoveState.Stage.WAITING)
          .filter(move -> state.takesCopies(move.to()) && room(move.from()) && room(move.to()))
          .ifPresent(move -> begin(id, move.from(), move.to(), move.why()));
    }

    private void begin(ActorId id, String from, String to, String why) {
      records.add(new CopyAdded(id, to, "moved from " + from + ": " + why));
      copies.merge(to, 1, Integer::sum);
      take(from, to);
    }

    void beginDrain(ActorId id, ActorState actor) {
      if (actor.move().isPresent()) {
        return;
      }
      for (CopyState copy : actor.copies()) {
        ServerState server = state.servers().get(copy.server());
        boolean here = server.draining() && server.alive() && copy.status() != Status.RETIRING;
        if (here && room(copy.server())) {
          Optional<String> target = target(actor);
          if (target.isPresent()) {
            String why = "server " + copy.server() + " is drained";
            begun.add(id);
            records.add(new MoveRequested(id, copy.server(), target.get(), why));
            begin(id, copy.server(), target.get(), why);
          }
          return;
        }
      }
    }

    /** One step towards where a policy wants an actor: a copy more, or a copy elsewhere. */
    void beginPlaced(ActorId id, ActorState actor) {
      if (actor.placed().isEmpty() || actor.move().isPresent() || begun.contains(id)) {
        return;
      }
      List<String> usable = actor.wanted().stream().filter(state::takesCopies).toList();
      usable.stream()
          .filter(server -> actor.copyOn(server).isEmpty() && room(server))
          .findFirst()
          .filter(server -> state.alive(actor.primary()))
          .ifPresent(server -> beginPlaced(id, actor, usable, server));
    }

    private void beginPlaced(ActorId id, ActorState actor, List<String> usable, String target) {
      int replicas = state.tables().get(id.table()).definition().replicas();
      String why = actor.placed().orElseThrow().why();
      List<CopyState> living =
          actor.copies().stream()
              .filter(copy -> state.alive(copy.server()) && copy.status() != Status.RETIRING)
              .toList();
      if (living.size() < Math.max(replicas, usable.size())) {
        records.add(new CopyAdded(id, target, why));
        copies.merge(target, 1, Integer::sum);
        take(target);
        return;
      }
      living.stream()
          .map(CopyState::server)
          .filter(server -> !usable.contains(server) && room(server))
          .min(Comparator.comparing(server -> server.equals(actor.primary())))
          .ifPresent(
              from -> {
                records.add(new MoveRequested(id, from, target, why));
                begin(id, from, target, why);
              });
    }

    /** Where the fewest copies are. */
    private Optional<String> target(ActorState actor) {
      return state.servers().keySet().stream()
          .filter(state::takesCopies)
          .filter(server -> actor.copyOn(server).isEmpty() && room(server))
          .min(Comparator.comparing(server -> copies.getOrDefault(server, 0)));
    }
  }
}
