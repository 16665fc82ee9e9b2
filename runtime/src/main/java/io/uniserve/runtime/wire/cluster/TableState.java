package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.ActorId;
import io.uniserve.api.TableDefinition;
import java.util.List;
import java.util.Optional;

/**
 * One table.
 *
 * @param id its identity, never used again
 * @param definition what it was asked to be
 * @param origin what it was restored from
 * @param committed the last transaction that was decided to happen on any of its actors
 * @param actors the assignment of each actor, by number
 */
public record TableState(
    long id,
    TableDefinition definition,
    Optional<TableOrigin> origin,
    Commitment committed,
    List<ActorState> actors) {
  /** Copies the list. */
  public TableState {
    actors = List.copyOf(actors);
  }

  /** How many transactions were committed. */
  public long version() {
    return committed.version();
  }

  /** The same with other actors. */
  TableState withActors(List<ActorState> newActors) {
    return new TableState(id, definition, origin, committed, newActors);
  }

  /** The identity of one of its actors. */
  public ActorId actorId(int number) {
    return new ActorId(id, number);
  }
}
