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
 * @param actors the assignment of each actor, by number
 */
public record TableState(
    long id, TableDefinition definition, Optional<TableOrigin> origin, List<ActorState> actors) {
  /** Copies the list. */
  public TableState {
    actors = List.copyOf(actors);
  }

  /** The same with other actors. */
  TableState withActors(List<ActorState> newActors) {
    return new TableState(id, definition, origin, newActors);
  }

  /** The identity of one of its actors. */
  public ActorId actorId(int number) {
    return new ActorId(id, number);
  }
}
