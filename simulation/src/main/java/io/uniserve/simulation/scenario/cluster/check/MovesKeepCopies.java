package io.uniserve.simulation.scenario.cluster.check;

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
 * The check that a move never leaves an actor with fewer readable copies than before it began.
 * Copies lost to failures meanwhile lower the number that the move must keep.
 */
final class MovesKeepCopies {
  /**
   * The number of copies that each move must keep, and the number that was readable at the last
   * look.
   */
  private final Map<ActorId, Kept> toKeep = new TreeMap<>();

  private long done;

  private record Kept(long least, long readable) {}

  /** Takes every record, in order. */
  void told(ClusterState after, ControlRecord record) {
    switch (record) {
      case ControlRecord.MoveRequested move -> {
        long readable = readable(after, move.actor());
        toKeep.put(move.actor(), new Kept(readable, readable));
      }
      case ControlRecord.ServerFailed failed -> lower(after);
      case ControlRecord.ServerJoined joined -> lower(after);
      case ControlRecord.CopyUnready unready -> lower(after);
      case ControlRecord.CopyLost lost -> lower(after);
      case ControlRecord.TableDropped dropped ->
          toKeep.keySet().removeIf(id -> id.table() == dropped.table());
      case ControlRecord.TableRecovered recovered ->
          toKeep.keySet().removeIf(id -> id.table() == recovered.former());
      default -> toKeep.replaceAll((id, kept) -> checked(after, record, id, kept));
    }
    if (record instanceof ControlRecord.MoveEnded ended) {
      done += ended.outcome() == ControlRecord.MoveEnded.Outcome.DONE ? 1 : 0;
      toKeep.remove(ended.actor());
    }
  }

  /** Forgets all moves, since records are missing before the next one. */
  void beginAnew() {
    toKeep.clear();
  }

  /** Returns how many moves have been done. */
  long done() {
    return done;
  }

  private void lower(ClusterState after) {
    toKeep.replaceAll(
        (id, kept) -> {
          long readable = readable(after, id);
          long lost = Math.max(0, kept.readable() - readable);
          return new Kept(Math.max(0, kept.least() - lost), readable);
        });
  }

  private static Kept checked(ClusterState after, ControlRecord record, ActorId id, Kept kept) {
    long readable = readable(after, id);
    Invariant.MOVES_KEEP_COPIES.require(
        readable >= kept.least(),
        () -> record + " leaves " + id + " with fewer than " + kept.least() + " readable copies");
    return new Kept(kept.least(), readable);
  }

  private static long readable(ClusterState state, ActorId id) {
    Optional<ActorState> actor = state.actor(id);
    return actor.stream()
        .flatMap(known -> known.copies().stream())
        .filter(copy -> copy.status() == Status.READY && state.alive(copy.server()))
        .count();
  }
}
