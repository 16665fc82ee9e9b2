package io.uniserve.simulation.scenario.scale;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.control.settings.RepairSettings;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.MoveState;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The watch over every version of cluster state, as the first follower hears of it. It looks only
 * at what the record changes, and compares what the others hear with it.
 */
final class Watch {
  /**
   * The number of versions whose records are kept, to be compared with what late followers hear.
   */
  private static final int KEPT_MAX = 50_000;

  private final RepairSettings repairs;
  private final BiConsumer<String, Long> failed;
  private final Map<Long, ControlRecord> records = new TreeMap<>();
  private final Map<String, Long> counts = new TreeMap<>();

  /** The copies that are being loaded because they are moved, with source and target. */
  private final Map<ActorId, MoveState> loading = new TreeMap<>();

  private final Map<String, Integer> loadingAt = new TreeMap<>();
  private ClusterState newest = ClusterState.EMPTY;
  private int loadingMost;

  /**
   * @param failed receives each server that was given up, with its life
   */
  Watch(RepairSettings repairs, BiConsumer<String, Long> failed) {
    this.repairs = repairs;
    this.failed = failed;
  }

  /** Returns the newest state that anybody has heard of. */
  ClusterState newest() {
    return newest;
  }

  /** Returns how often each kind of record came. */
  Map<String, Long> counts() {
    return counts;
  }

  long count(String kind) {
    return counts.getOrDefault(kind, 0L);
  }

  /** Returns the largest number of moves that loaded at a time. */
  int loadingMost() {
    return loadingMost;
  }

  /** Takes a record that a follower hears of. */
  void told(ClusterState before, ClusterState after, ControlRecord record) {
    long version = after.version();
    Invariant.TOTAL_ORDER.require(
        version == before.version() + 1,
        () -> "version " + version + " follows " + before.version());
    ControlRecord known = records.get(version);
    Invariant.TOTAL_ORDER.require(
        known == null || known.equals(record),
        () -> "version " + version + " is " + known + " and " + record);
    if (version == newest.version() + 1) {
      records.put(version, record);
      records.remove(version - KEPT_MAX);
      newest = after;
      counts.merge(name(record), 1L, Long::sum);
      look(before, after, record);
    }
  }

  private static String name(ControlRecord record) {
    return record instanceof ControlRecord.MoveEnded ended
        ? "MoveEnded " + ended.outcome()
        : record.getClass().getSimpleName();
  }

  void reloaded(ClusterState state) {
    if (state.version() > newest.version()) {
      newest = state;
      countLoading();
    }
  }

  private void look(ClusterState before, ClusterState after, ControlRecord record) {
    Touched.by(record).ifPresent(id -> look(before, after, id, record));
    switch (record) {
      case ControlRecord.ServerFailed lost -> failed.accept(lost.server(), lost.incarnation());
      case ControlRecord.ServerJoined joined -> countLoading();
      case ControlRecord.TableCreated created ->
          after.tables().get(created.table()).actors().forEach(actor -> valid(after, actor));
      default -> {
        // It changes no assignment.
      }
    }
  }

  private void look(ClusterState before, ClusterState after, ActorId id, ControlRecord record) {
    Optional<ActorState> former = before.actor(id);
    Optional<ActorState> now = after.actor(id);
    if (former.isEmpty() || now.isEmpty()) {
      return;
    }
    valid(after, now.get());
    Invariant.ONE_PRIMARY.require(
        now.get().epoch() > former.get().epoch()
            || now.get().epoch() == former.get().epoch()
                && now.get().primary().equals(former.get().primary()),
        () -> record + " makes of " + former.get() + " " + now.get());
    count(id, now.get());
    if (record instanceof ControlRecord.CopyAdded added
        && now.get().move().filter(move -> move.to().equals(added.server())).isPresent()) {
      requireBounded(now.get().move().get());
    }
  }

  private static void valid(ClusterState state, ActorState actor) {
    boolean primaryHolds = false;
    for (int i = 0; i < actor.copies().size(); i++) {
      String server = actor.copies().get(i).server();
      primaryHolds |= server.equals(actor.primary());
      boolean known = state.servers().containsKey(server);
      boolean again =
          actor.copies().subList(0, i).stream().anyMatch(copy -> copy.server().equals(server));
      Invariant.VALID_ASSIGNMENT.require(known && !again, () -> "an actor is " + actor);
    }
    boolean holds = primaryHolds;
    Invariant.VALID_ASSIGNMENT.require(holds, () -> "no copy is the primary of " + actor);
  }

  private void requireBounded(MoveState move) {
    loadingMost = Math.max(loadingMost, loading.size());
    int most =
        Math.max(loadingAt.getOrDefault(move.from(), 0), loadingAt.getOrDefault(move.to(), 0));
    Invariant.VALID_ASSIGNMENT.require(
        loading.size() <= repairs.movesMax() && most <= repairs.movesPerServerMax(),
        () -> loading.size() + " moves load, " + most + " of them at one server of " + move);
  }

  /** Counts loading copies. A server that comes back makes ready copies load again. */
  private void countLoading() {
    loading.clear();
    loadingAt.clear();
    newest.forEachActor(this::count);
  }

  private void count(ActorId id, ActorState actor) {
    MoveState former = loading.remove(id);
    if (former != null) {
      loadingAt.merge(former.from(), -1, Integer::sum);
      loadingAt.merge(former.to(), -1, Integer::sum);
    }
    actor
        .move()
        .filter(move -> move.stage(actor) == MoveState.Stage.LOADING)
        .ifPresent(
            move -> {
              loading.put(id, move);
              loadingAt.merge(move.from(), 1, Integer::sum);
              loadingAt.merge(move.to(), 1, Integer::sum);
            });
  }

  /** Returns whether a copy can be read. */
  static boolean readable(ClusterState state, CopyState copy) {
    return copy.status() == CopyState.Status.READY && state.alive(copy.server());
  }
}
