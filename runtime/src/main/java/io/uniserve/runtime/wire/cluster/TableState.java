package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.ActorId;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.codec.Since;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.ring.RingState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * One table.
 *
 * @param id its identity, never used again
 * @param definition the table's
 * @param redefined the history of the definition
 * @param origin the state that it was restored from
 * @param committed the last transaction that was decided to happen on any of its actors
 * @param actors the assignment of each actor, by number; those that have ended included
 * @param recovery its replacement of another table, if it replaced one
 * @param ring the ring of servers that it is placed on, if it is
 */
public record TableState(
    long id,
    TableDefinition definition,
    Redefined redefined,
    Optional<TableOrigin> origin,
    Commitment committed,
    List<ActorState> actors,
    Optional<Recovery> recovery,
    @Since(2) Optional<RingState> ring) {
  /** Creates a table that is as it was created. */
  public TableState(
      long id,
      TableDefinition definition,
      Optional<TableOrigin> origin,
      Commitment committed,
      List<ActorState> actors) {
    this(
        id,
        definition,
        Redefined.never(definition),
        origin,
        committed,
        actors,
        Optional.empty(),
        Optional.empty());
  }

  /** Copies the list, unless it is one of another version of the same table. */
  public TableState {
    actors = ActorList.of(actors);
  }

  /** Returns the same table, in the place of another. */
  TableState withRecovery(Optional<Recovery> newRecovery) {
    return new TableState(id, definition, redefined, origin, committed, actors, newRecovery, ring);
  }

  /** Returns the same table with another ring. */
  TableState withRing(RingState newRing) {
    return new TableState(
        id, definition, redefined, origin, committed, actors, recovery, Optional.of(newRing));
  }

  /** Returns how many transactions were committed. */
  public long version() {
    return committed.version();
  }

  /** Returns the same table with another assignment of one actor. */
  TableState withActor(int number, ActorState actor) {
    return new TableState(
        id,
        definition,
        redefined,
        origin,
        committed,
        ActorList.of(actors).with(number, actor),
        recovery,
        ring);
  }

  /** Returns the same table after another transaction. */
  TableState withCommitted(Commitment newCommitted) {
    return new TableState(id, definition, redefined, origin, newCommitted, actors, recovery, ring);
  }

  /** Returns the same table after another record of its definition. */
  TableState with(TableDefinition newDefinition, Optional<TableDefinition> next) {
    return new TableState(
        id, newDefinition, redefined.with(next), origin, committed, actors, recovery, ring);
  }

  /** Returns the same table after one of its actors was split. */
  TableState withSplit(ActorState kept, PartitionChange.Cut cut, ActorState made) {
    Invariant.VALID_ASSIGNMENT.require(
        cut.into() == actors.size() && redefined.next().isEmpty(),
        () -> cut + " of table " + id + " of " + actors.size() + " actors");
    List<ActorState> all = new ArrayList<>(actors);
    all.set(cut.actor(), kept);
    all.add(made);
    return new TableState(
        id,
        definition.withPartitioner(definition.partitioner().with(cut)),
        redefined.with(Optional.empty()),
        origin,
        committed,
        all,
        recovery,
        ring);
  }

  /** Returns the same table with a split or merge wanted of one of its actors, or none. */
  TableState reshaping(int number, Optional<Reshaping> reshaping) {
    return withActor(number, actors.get(number).withReshaping(reshaping));
  }

  /** Returns the same table after two of its actors were merged. */
  TableState withMerged(PartitionChange.Merge merge, ActorState made) {
    Invariant.VALID_ASSIGNMENT.require(
        merge.into() == actors.size() && redefined.next().isEmpty(),
        () -> merge + " of table " + id + " of " + actors.size() + " actors");
    List<ActorState> all = new ArrayList<>(actors);
    for (int number : List.of(merge.first(), merge.second())) {
      all.set(number, all.get(number).ended(all.get(number).epoch() + 1));
    }
    all.add(made);
    return new TableState(
        id,
        definition.withPartitioner(definition.partitioner().with(merge)),
        redefined.with(Optional.empty()),
        origin,
        committed,
        all,
        recovery,
        ring);
  }

  /** Returns the actors that have not ended, by number. */
  public SortedMap<Integer, ActorState> living() {
    SortedMap<Integer, ActorState> living = new TreeMap<>();
    for (int number = 0; number < actors.size(); number++) {
      if (!actors.get(number).ended()) {
        living.put(number, actors.get(number));
      }
    }
    return living;
  }

  /** Gives every actor to an action, in the order of numbers; those that have ended included. */
  public void forEachActor(BiConsumer<ActorId, ActorState> action) {
    for (int number = 0; number < actors.size(); number++) {
      action.accept(actorId(number), actors.get(number));
    }
  }

  /** Returns the same table with those assignments that a change gives. */
  TableState withActors(UnaryOperator<ActorState> change) {
    TableState changed = this;
    for (int number = 0; number < actors.size(); number++) {
      ActorState actor = actors.get(number);
      ActorState now = change.apply(actor);
      changed = now == actor ? changed : changed.withActor(number, now);
    }
    return changed;
  }

  /** Returns the identity of one of its actors. */
  public ActorId actorId(int number) {
    return new ActorId(id, number);
  }
}
