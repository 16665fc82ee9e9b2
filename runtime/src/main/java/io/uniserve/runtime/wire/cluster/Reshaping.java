package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import java.util.Optional;

/** A split or merge that is wanted of an actor. */
public sealed interface Reshaping {
  /** Returns the reason for it. */
  String why();

  /**
   * A split.
   *
   * @param at the first key that goes to the new actor, in a table partitioned by range; empty for
   *     about the middle of the records
   * @param why the reason
   */
  @Name("Splitting")
  record Splitting(Optional<PartitionKey> at, String why) implements Reshaping {}

  /**
   * A merge with another actor, which has the same in turn.
   *
   * @param with the number of the other
   * @param why the reason
   */
  @Name("Merging")
  record Merging(int with, String why) implements Reshaping {}
}
