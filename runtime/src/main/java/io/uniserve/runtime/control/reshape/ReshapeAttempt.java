package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.wire.cluster.ActorState;
import java.util.List;

/** One attempt to split or merge actors, which has no effect before its record. */
interface ReshapeAttempt {
  /** Returns the actors, all of one table, beginning with the one that the attempt begins with. */
  List<ActorId> actors();

  /** Returns an actor as it was when the attempt began. */
  ActorState planned(ActorId id);

  /** Returns the table's partitioner as it was when the attempt began. */
  Partitioner partitioner();

  /** Returns the servers that have a readable copy of each actor, their primaries among them. */
  List<String> servers();

  /** Returns the first epoch of the new actor. The epoch before belongs to this attempt alone. */
  long firstEpoch();

  /** Returns the epoch that the primary of an actor was asked to promise. */
  default long next(ActorId id) {
    return planned(id).epoch() + 1;
  }

  /**
   * Prepares all copies for the change; runs on a thread of its own.
   *
   * @throws UniserveException if that is not possible; some copies may be prepared nevertheless
   */
  PartitionChange run();
}
