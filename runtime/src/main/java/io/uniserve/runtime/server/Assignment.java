package io.uniserve.runtime.server;

import io.uniserve.api.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.cluster.CopyState;
import java.util.List;
import java.util.Optional;

/**
 * What cluster state says of one server's copy of an actor.
 *
 * @param actor the assignment
 * @param partitioner of its table
 * @param number of the actor
 * @param copy this server's part in it
 * @param primary where the primary listens, if it is another server and alive
 * @param readable the other copies that somebody may read now
 * @param others all other copies on servers that live, be they readable or not
 * @param incarnation this server's life
 */
record Assignment(
    ActorState actor,
    Partitioner partitioner,
    int number,
    CopyState copy,
    Optional<Address> primary,
    List<CopyId> readable,
    List<CopyId> others,
    long incarnation) {
  /** Whether this copy is to take the place of another server's. */
  boolean isMovedHere() {
    return actor.move().filter(move -> move.to().equals(copy.server())).isPresent();
  }

  /** Of the actor's keys. */
  int generation() {
    return partitioner.generation(number);
  }

  /**
   * Whether a copy at a position is what a split made, in the actor's first reign: nothing can have
   * been acknowledged by all copies that it lacks.
   */
  boolean isAsBorn(Position position) {
    return copy.status() == CopyState.Status.READY
        && copy.since() == copy.statusSince()
        && position.epoch() + 1 == actor.epoch();
  }

  /** Tells since which version of cluster state a copy is to be brought up to date, if it is. */
  Optional<Long> loadingSince(CopyId id) {
    return actor
        .copyOn(id.server())
        .filter(known -> known.id().equals(id) && known.status() == CopyState.Status.LOADING)
        .map(CopyState::statusSince);
  }

  boolean leads(String server) {
    return actor.primary().equals(server);
  }

  /** Whether another assignment names the same primary in the same reign to fetch data from. */
  boolean hasSourceOf(Assignment other) {
    return primary.equals(other.primary) && actor.epoch() == other.actor.epoch();
  }
}
