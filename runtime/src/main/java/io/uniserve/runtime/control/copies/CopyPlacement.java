package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveRequested;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The filling of a new server with copies from the servers that have the most, until it has as many
 * as the mean. Its copies are fetched, caught up and warmed before they are read, as with every
 * move.
 */
public final class CopyPlacement {
  private final ClusterState state;
  private final TreeMap<String, Integer> copies = new TreeMap<>();
  private final Map<ActorId, ActorState> movable = new TreeMap<>();
  private int moves;

  private CopyPlacement(ClusterState state) {
    this.state = state;
    state.servers().keySet().stream()
        .filter(state::takesCopies)
        .forEach(server -> copies.put(server, 0));
    state.forEachActor(this::count);
  }

  /** Counts an actor's copies. A copy being moved counts at its target. */
  private void count(ActorId id, ActorState actor) {
    Optional<String> leaves = actor.move().map(move -> move.from());
    actor.copies().stream()
        .map(copy -> copy.server())
        .filter(server -> !leaves.equals(Optional.of(server)))
        .forEach(server -> copies.computeIfPresent(server, (same, count) -> count + 1));
    if (actor.move().isPresent()) {
      moves++;
      String to = actor.move().get().to();
      if (actor.copyOn(to).isEmpty()) {
        copies.computeIfPresent(to, (same, count) -> count + 1);
      }
    } else if (state.tables().get(id.table()).ring().isEmpty()) {
      movable.put(id, actor);
    }
  }

  /**
   * Returns the moves that bring servers nearer to the mean.
   *
   * @param movesMax the most moves that may be under way or waiting
   */
  public static List<MoveRequested> moves(ClusterState state, int movesMax) {
    CopyPlacement filling = new CopyPlacement(state);
    List<MoveRequested> requested = new ArrayList<>();
    Optional<MoveRequested> next = filling.next();
    while (filling.moves < movesMax && next.isPresent()) {
      requested.add(next.get());
      filling.apply(next.get());
      next = filling.next();
    }
    return requested;
  }

  private Optional<MoveRequested> next() {
    if (copies.isEmpty()) {
      return Optional.empty();
    }
    String emptiest = copies.keySet().stream().min(Comparator.comparing(copies::get)).orElseThrow();
    double mean = copies.values().stream().mapToInt(count -> count).average().orElseThrow();
    if (copies.get(emptiest) + 1 > mean) {
      return Optional.empty();
    }
    return copies.keySet().stream()
        .filter(server -> copies.get(server) > mean)
        .sorted(Comparator.comparing(copies::get, Comparator.reverseOrder()))
        .map(fullest -> move(fullest, emptiest))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** Chooses a move between two servers. Copies that follow are moved before copies that lead. */
  private Optional<MoveRequested> move(String from, String to) {
    return movable.entrySet().stream()
        .filter(
            entry ->
                entry
                    .getValue()
                    .copyOn(from)
                    .filter(copy -> copy.status() == Status.READY)
                    .isPresent())
        .filter(entry -> entry.getValue().copyOn(to).isEmpty())
        .filter(entry -> !entry.getValue().pins().contains(from))
        .min(Comparator.comparing(entry -> entry.getValue().primary().equals(from)))
        .map(
            entry ->
                new MoveRequested(
                    entry.getKey(),
                    from,
                    to,
                    "server " + to + " is new and has fewer copies than others"));
  }

  private void apply(MoveRequested move) {
    movable.remove(move.actor());
    copies.merge(move.from(), -1, Integer::sum);
    copies.merge(move.to(), 1, Integer::sum);
    moves++;
  }
}
