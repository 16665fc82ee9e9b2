package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.PartitionKey;
import io.uniserve.api.codec.Name;
import java.util.Optional;

/** That an actor is to become others. */
public sealed interface Reshaping {
  /** What asked for it. */
  String why();

  /**
   * It is to be split.
   *
   * @param at the first key that goes, in a table that is partitioned by range; empty for about the
   *     middle of what there is
   * @param why what asked for it
   */
  @Name("Splitting")
  record Splitting(Optional<PartitionKey> at, String why) implements Reshaping {}

  /**
   * It is to be merged with another, of which the same is said.
   *
   * @param with the number of the other
   * @param why what asked for it
   */
  @Name("Merging")
  record Merging(int with, String why) implements Reshaping {}
}
