package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.control.Controller;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import io.uniserve.simulation.scenario.cluster.work.RingWitness;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The cluster state of the controllers, looked at after every step. It checks what must hold of
 * every version, and what never changes from one to the next.
 */
public final class StateOracle {
  private final Consumer<String> whenFailed;
  private final ActorListener whenChanged;
  private final Consumer<String> note;
  private final Map<ActorId, Map<Long, String>> primaries = new TreeMap<>();
  private final SortedMap<Long, ControlRecord> records = new TreeMap<>();
  private final MovesKeepCopies moves = new MovesKeepCopies();
  private final RingChanges rings = new RingChanges();
  private ClusterState state = ClusterState.EMPTY;

  /** A listener for each change of an actor's assignment, or of its last transaction. */
  @FunctionalInterface
  public interface ActorListener {
    /**
     * Takes one change.
     *
     * @param table the actor's table, after the change
     * @param number the actor's number
     * @param before the actor before
     */
    void changed(TableState table, int number, ActorState before);
  }

  /**
   * @param whenFailed receives each server that the coordinator gives up
   * @param whenChanged receives each change of an actor
   * @param note notes each change
   */
  public StateOracle(
      Consumer<String> whenFailed, ActorListener whenChanged, Consumer<String> note) {
    this.whenFailed = whenFailed;
    this.whenChanged = whenChanged;
    this.note = note;
  }

  public ClusterState state() {
    return state;
  }

  /**
   * Returns the records of the control log, in order; empty if there are some that no process was
   * told, since all that might have been were given a later state as a whole.
   */
  public Optional<List<ControlRecord>> records() {
    boolean whole = records.size() == state.version();
    return whole ? Optional.of(List.copyOf(records.values())) : Optional.empty();
  }

  /**
   * Returns whether cluster state gives a server a copy of an actor of the one table, and relies on
   * it. It does not rely on a copy that is to be removed, that a move may still give up, or that
   * may not lead.
   */
  boolean isToHave(String server, int actor) {
    return state
        .table(ClusterShape.TABLE)
        .filter(table -> actor < table.actors().size())
        .map(table -> table.actors().get(actor))
        .filter(known -> reliedOn(known, server))
        .isPresent();
  }

  /** Returns whether a server has a copy of an actor of the one table. */
  boolean hasCopy(String server, int actor) {
    return state
        .table(ClusterShape.TABLE)
        .filter(table -> actor < table.actors().size())
        .filter(table -> table.actors().get(actor).copyOn(server).isPresent())
        .isPresent();
  }

  private static boolean reliedOn(ActorState actor, String server) {
    boolean unfinished = actor.move().filter(move -> move.to().equals(server)).isPresent();
    boolean mayLead = actor.anyMayLead() || actor.complete().contains(server);
    return actor
        .copyOn(server)
        .map(CopyState::status)
        .filter(status -> status != CopyState.Status.RETIRING)
        .filter(status -> status == CopyState.Status.READY || !unfinished)
        .filter(status -> mayLead)
        .isPresent();
  }

  /** Returns the actor that one became by merges; itself if it exists. */
  public ActorId becameOf(ActorId id) {
    TableState table = state.tables().get(id.table());
    return table == null ? id : table.actorId(table.definition().partitioner().became(id.number()));
  }

  /** Returns the first epoch of an actor. */
  long firstEpoch(ActorId actor) {
    return primaries.containsKey(actor) ? new TreeMap<>(primaries.get(actor)).firstKey() : 0;
  }

  /** Returns the witness of the changes of rings that clients ask for. */
  public RingWitness ringWitness() {
    return rings;
  }

  /** Checks the copies of a table on a ring, once nothing moves; false if its ring is not known. */
  public boolean checkRing(TableState table) {
    return rings.checkAtRest(table);
  }

  /** Returns how many moves have been done. */
  public long movesDone() {
    return moves.done();
  }

  /** Looks at a controller's state if it is newer than those seen. */
  public void look(Controller controller) {
    look(controller.state());
  }

  /** Looks at a state; returns false if it is not newer than those seen. */
  public boolean look(ClusterState now) {
    boolean newer = now.version() > state.version();
    if (newer) {
      ClusterState before = state;
      state = now;
      before.servers().keySet().stream()
          .filter(server -> before.alive(server) && !now.alive(server))
          .forEach(whenFailed);
      now.tables().values().forEach(this::check);
      now.tables().values().forEach(table -> tellChanges(before, table));
    }
    return newer;
  }

  private void tellChanges(ClusterState before, TableState table) {
    // A state between may have had the decision that any copy may lead.
    boolean next = state.version() == before.version() + 1;
    table.forEachActor(
        (id, actor) ->
            before
                .actor(id)
                .filter(former -> !former.equals(actor))
                .ifPresent(
                    former -> {
                      if (next) {
                        requireComplete(table, former, actor);
                      }
                      whenChanged.changed(table, id.number(), former);
                    }));
  }

  private static void requireComplete(TableState table, ActorState former, ActorState now) {
    boolean emptied =
        now.copyOn(now.primary())
            .filter(copy -> copy.status() == CopyState.Status.EMPTY)
            .isPresent();
    Invariant.COMPLETE_COPIES_LEAD.require(
        now.epoch() == former.epoch()
            || now.ended()
            || former.anyMayLead()
            || emptied
            || table.definition().durability() == Durability.SYNCHRONOUS
            || former.complete().contains(now.primary()),
        () -> now + " after " + former);
  }

  private void check(TableState table) {
    table.forEachActor((id, actor) -> check(id, table, actor));
  }

  private void check(ActorId id, TableState table, ActorState actor) {
    Invariant.VALID_ASSIGNMENT.require(
        actor.ended() != table.definition().partitioner().has(id.number()),
        () -> id + " of " + table.definition().partitioner() + " is assigned as " + actor);
    if (actor.ended()) {
      return;
    }
    List<String> servers = actor.copies().stream().map(CopyState::server).toList();
    Invariant.VALID_ASSIGNMENT.require(
        servers.stream().distinct().count() == servers.size()
            && servers.stream().allMatch(state.servers()::containsKey)
            && servers.contains(actor.primary()),
        () -> id + " is assigned as " + actor);
    Invariant.COMPLETE_COPIES_LEAD.require(
        actor.copies().stream()
            .filter(copy -> copy.status() == CopyState.Status.READY && state.alive(copy.server()))
            .allMatch(copy -> actor.complete().contains(copy.server())),
        () -> "a readable copy of " + id + " is not complete: " + actor);
    String former =
        primaries
            .computeIfAbsent(id, absent -> new TreeMap<>())
            .putIfAbsent(actor.epoch(), actor.primary());
    Invariant.ONE_PRIMARY.require(
        former == null || former.equals(actor.primary()),
        () ->
            "epoch "
                + actor.epoch()
                + " of "
                + id
                + " is led by "
                + former
                + " and "
                + actor.primary());
  }

  /**
   * Checks a record that a process was told: it is the same that any other was told at that
   * version.
   */
  public void told(ClusterState after, ControlRecord record) {
    long version = after.version();
    long newest = records.isEmpty() ? 0 : records.lastKey();
    ControlRecord former = records.putIfAbsent(version, record);
    Invariant.TOTAL_ORDER.require(
        former == null || former.equals(record),
        () -> "version " + version + " is " + former + " and " + record);
    if (version > newest) {
      if (version > newest + 1) {
        moves.beginAnew();
        rings.beginAnew();
      }
      moves.told(after, record);
      rings.told(record);
      note.accept(version + " " + record);
    }
  }
}
