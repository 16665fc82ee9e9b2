package io.uniserve.runtime.server.keys;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import java.util.List;

/**
 * A part of an actor's keys: those that a former actor had when it was merged with another.
 *
 * @param actor the number of the former actor
 * @param within the numbers of later former actors; only keys that they had, too, belong to the
 *     part. The former actor's keys may have come to several by splits
 */
public record Part(int actor, List<Integer> within) {
  /** Copies the list. */
  public Part {
    within = List.copyOf(within);
  }

  /** Returns all keys of a former actor. */
  static Part of(int actor) {
    return new Part(actor, List.of());
  }

  /** Returns whether a key belongs to this part. */
  public boolean has(Partitioner.Refined shape, PartitionKey key) {
    return shape.held(actor, key) && within.stream().allMatch(later -> shape.held(later, key));
  }
}
