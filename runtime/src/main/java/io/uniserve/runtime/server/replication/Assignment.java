package io.uniserve.runtime.server.replication;

import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.CopyId;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.entry.Position;
import java.util.List;
import java.util.Optional;

/**
 * One server's copy of an actor, as cluster state describes it.
 *
 * @param actor the assignment
 * @param partitioner the partitioner of its table
 * @param number the number of the actor
 * @param copy this server's part in it
 * @param primary the address where the primary listens, if it is another server and alive
 * @param source the address of the server that was chosen to send the data, if it can
 * @param readable the other copies that somebody may read now
 * @param others all other copies on live servers, readable or not
 * @param incarnation this server's life
 */
public record Assignment(
    ActorState actor,
    Partitioner partitioner,
    int number,
    CopyState copy,
    Optional<Address> primary,
    Optional<Address> source,
    List<CopyId> readable,
    List<CopyId> others,
    long incarnation) {
  /** Returns whether this copy is the target of a move from another server. */
  boolean isMovedHere() {
    return actor.move().filter(move -> move.to().equals(copy.server())).isPresent();
  }

  /** Returns the generation of the actor's keys. */
  int generation() {
    return partitioner.generation(number);
  }

  /**
   * Returns whether a copy at a position is the copy that a split made, in the actor's first epoch.
   * Such a copy lacks nothing that all copies have acknowledged.
   */
  boolean isAsBorn(Position position) {
    return copy.status() == CopyState.Status.READY
        && copy.since() == copy.statusSince()
        && position.epoch() + 1 == actor.epoch();
  }

  /**
   * Returns the version of cluster state since which a copy is being brought up to date; empty if
   * it is not.
   */
  public Optional<Long> loadingSince(CopyId id) {
    return actor
        .copyOn(id.server())
        .filter(known -> known.id().equals(id) && known.status() == CopyState.Status.LOADING)
        .map(CopyState::statusSince);
  }

  boolean leads(String server) {
    return actor.primary().equals(server);
  }

  /**
   * Returns whether another assignment names the same primary, in the same epoch, to fetch data
   * from.
   */
  boolean hasSourceOf(Assignment other) {
    return primary.equals(other.primary) && actor.epoch() == other.actor.epoch();
  }
}
