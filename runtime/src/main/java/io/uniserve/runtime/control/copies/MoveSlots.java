package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.settings.RepairSettings;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyAdded;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveRequested;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.MoveState;
import io.uniserve.runtime.wire.cluster.ServerState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The limit of concurrent moves and copies. Moves that were asked for come first, in the order of
 * their actors; then copies on draining servers; then wishes of placement policies.
 */
public final class MoveSlots {
  private final Decisions decisions;
  private final RepairSettings settings;
  private ClusterState filled = ClusterState.EMPTY;

  MoveSlots(Decisions decisions, RepairSettings settings) {
    this.decisions = decisions;
    this.settings = settings;
  }

  /** Begins as many moves as there is room for. They follow from the state alone. */
  void fill() {
    if (decisions.state() == filled) {
      return;
    }
    Filling filling = new Filling(decisions.state());
    filling.state.forEachActor(filling::sort);
    filling.begin();
    if (!filling.records.isEmpty()) {
      decisions.record(CopySources.chosen(decisions.state(), filling.records));
    }
    filled = decisions.state();
  }

  /** One look at the whole cluster. */
  private final class Filling {
    private final ClusterState state;
    private final Set<String> draining;
    private final List<ControlRecord> records = new ArrayList<>();
    private final TreeMap<String, Integer> loading = new TreeMap<>();
    private final TreeSet<ActorId> begun = new TreeSet<>();
    private final Map<ActorId, ActorState> requested = new TreeMap<>();
    private final Map<ActorId, ActorState> drained = new TreeMap<>();
    private final Map<ActorId, ActorState> misplaced = new TreeMap<>();
    private Optional<TreeMap<String, Integer>> copies = Optional.empty();
    private int moves;

    Filling(ClusterState state) {
      this.state = state;
      draining =
          state.servers().values().stream()
              .filter(server -> server.draining() && server.alive())
              .map(ServerState::name)
              .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Counts moves under way, and collects those that may begin, which are few. */
    void sort(ActorId id, ActorState actor) {
      if (actor.move().isPresent()) {
        MoveState move = actor.move().get();
        switch (move.stage(actor)) {
          case WAITING -> requested.put(id, actor);
          case LOADING -> take(move.from(), move.to());
          case HANDING_OVER, RETIRING -> {
            // The copy loads nothing any more.
          }
        }
        return;
      }
      if (actor.splits() || isWithTheOther(id, actor)) {
        return;
      }
      for (CopyState copy : actor.copies()) {
        if (copy.status() == Status.LOADING
            && state.alive(copy.server())
            && actor.wanted().contains(copy.server())) {
          take(copy.server());
        }
        if (!draining.isEmpty() && draining.contains(copy.server())) {
          drained.put(id, actor);
        }
      }
      if (actor.placed().isPresent() && !isWhereWanted(actor)) {
        misplaced.put(id, actor);
      }
    }

    /**
     * Returns whether the actor is where the actor is that it is to be merged with. Then the merged
     * actor is moved instead.
     */
    private boolean isWithTheOther(ActorId id, ActorState actor) {
      return actor
          .merges()
          .flatMap(merging -> state.actor(new ActorId(id.table(), merging.with())))
          .filter(other -> servers(other).equals(servers(actor)))
          .isPresent();
    }

    private static Set<String> servers(ActorState actor) {
      return actor.copies().stream()
          .map(CopyState::server)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isWhereWanted(ActorState actor) {
      return actor.placed().orElseThrow().servers().stream()
              .allMatch(server -> actor.copyOn(server).isPresent())
          && actor.pins().stream().allMatch(server -> actor.copyOn(server).isPresent());
    }

    void begin() {
      requested.forEach(this::beginRequested);
      drained.forEach(this::beginDrain);
      // An actor that is to be merged is misplaced for the merge's sake, and one on a ring for the
      // ring's, and not for a policy's.
      misplaced.forEach(
          (id, actor) -> {
            boolean onRing = state.tables().get(id.table()).ring().isPresent();
            if (!state.placementPaused() || actor.merges().isPresent() || onRing) {
              beginPlaced(id, actor);
            }
          });
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
          .filter(move -> state.takesCopies(move.to()) && room(move.from()) && room(move.to()))
          .ifPresent(move -> begin(id, move.from(), move.to(), move.why()));
    }

    private void begin(ActorId id, String from, String to, String why) {
      add(new CopyAdded(id, to, "moved from " + from + ": " + why));
      take(from, to);
    }

    void beginDrain(ActorId id, ActorState actor) {
      for (CopyState copy : actor.copies()) {
        boolean here = draining.contains(copy.server()) && copy.status() != Status.RETIRING;
        if (here && room(copy.server())) {
          Optional<String> target = target(id, actor);
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

    /**
     * Takes a step towards the servers that a policy wants for an actor: one more copy, or a move
     * of one.
     */
    void beginPlaced(ActorId id, ActorState actor) {
      if (begun.contains(id)) {
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
        add(new CopyAdded(id, target, why));
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

    /**
     * Returns the server that may take a copy: the next one on the table's ring, if it has one, or
     * else the one with the fewest copies.
     */
    private Optional<String> target(ActorId id, ActorState actor) {
      List<String> order =
          RingHolders.of(state.tables().get(id.table()))
              .map(ring -> ring.order(id.number()))
              .orElse(List.of());
      Optional<String> next =
          order.stream()
              .filter(server -> state.takesCopies(server) && actor.copyOn(server).isEmpty())
              .findFirst();
      return next.isPresent() ? next.filter(this::room) : emptiest(actor);
    }

    private Optional<String> emptiest(ActorState actor) {
      return state.servers().keySet().stream()
          .filter(state::takesCopies)
          .filter(server -> actor.copyOn(server).isEmpty() && room(server))
          .min(Comparator.comparing(server -> copies().getOrDefault(server, 0)));
    }

    private void add(CopyAdded added) {
      records.add(added);
      copies.ifPresent(counts -> counts.merge(added.server(), 1, Integer::sum));
    }

    /** Returns how many copies each server has. They are counted only when needed. */
    private TreeMap<String, Integer> copies() {
      if (copies.isEmpty()) {
        TreeMap<String, Integer> counts = new TreeMap<>();
        state.forEachActor(
            (id, actor) ->
                actor.copies().forEach(copy -> counts.merge(copy.server(), 1, Integer::sum)));
        for (ControlRecord record : records) {
          if (record instanceof CopyAdded added) {
            counts.merge(added.server(), 1, Integer::sum);
          }
        }
        copies = Optional.of(counts);
      }
      return copies.get();
    }
  }
}
