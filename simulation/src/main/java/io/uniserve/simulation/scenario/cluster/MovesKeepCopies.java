package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A move never leaves an actor with fewer readable copies than before it began. What failures take
 * away meanwhile is not the move's doing: it lowers what the move has to keep.
 */
final class MovesKeepCopies {
  private final Map<ActorId, Long> toKeep = new TreeMap<>();
  private long done;

  /** Hears of every record, in order. */
  void told(ClusterState after, ControlRecord record) {
    switch (record) {
      case ControlRecord.MoveRequested move ->
          toKeep.put(move.actor(), readable(after, move.actor()));
      case ControlRecord.ServerFailed failed -> lower(after);
      case ControlRecord.ServerJoined joined -> lower(after);
      case ControlRecord.CopyUnready unready -> lower(after);
      case ControlRecord.TableDropped dropped ->
          toKeep.keySet().removeIf(id -> id.table() == dropped.table());
      default -> toKeep.forEach((id, count) -> check(after, record, id, count));
    }
    if (record instanceof ControlRecord.MoveEnded ended) {
      done += ended.outcome() == ControlRecord.MoveEnded.Outcome.DONE ? 1 : 0;
      toKeep.remove(ended.actor());
    }
  }

  /** How many moves have been done. */
  long done() {
    return done;
  }

  private void lower(ClusterState after) {
    toKeep.replaceAll((id, count) -> Math.min(count, readable(after, id)));
  }

  private static void check(ClusterState after, ControlRecord record, ActorId id, long count) {
    Invariant.MOVES_KEEP_COPIES.require(
        readable(after, id) >= count,
        () -> record + " leaves " + id + " with fewer than " + count + " readable copies");
  }

  private static long readable(ClusterState state, ActorId id) {
    Optional<ActorState> actor = state.actor(id);
    return actor.stream()
        .flatMap(known -> known.copies().stream())
        .filter(copy -> copy.status() == Status.READY && state.alive(copy.server()))
        .count();
  }
}
