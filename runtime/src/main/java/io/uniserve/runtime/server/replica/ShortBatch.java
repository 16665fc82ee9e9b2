package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.OrderedMessage.ShortUpdate;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.util.List;
import java.util.Optional;

/**
 * Updates of one session that take the short way to one actor, in their order.
 *
 * @param epoch the epoch in which the primary has seen to it that they may be taken
 * @param generation the generation of the actor's keys with which they were grouped
 * @param partitioner the partitioner of the table
 * @param sight the item of the order that comes before them
 * @param updates the updates
 */
public record ShortBatch(
    long epoch, int generation, Partitioner partitioner, Mark sight, List<ShortUpdate> updates) {
  /**
   * The outcome of a batch.
   *
   * @param results the results of the first of the updates, which the actor has received, now or
   *     before
   * @param reach the newest item of the order in the actor's log, after these updates were logged
   * @param position the position up to which the log must be firm before anybody is told
   * @param failure the reason why the next could not be received, if it may be later
   */
  public record Taken(
      List<Result> results, Mark reach, Position position, Optional<UniserveException> failure) {}
}
