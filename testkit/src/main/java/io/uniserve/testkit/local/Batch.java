package io.uniserve.testkit.local;

import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.List;

/**
 * An update with its records.
 *
 * @param update the update function
 * @param records the records, each for the actor of its key; if there are none, the update runs on
 *     every actor
 */
public record Batch(UpdateFunction<?, ?> update, List<? extends PartitionedRecord> records) {
  /** Copies the records. */
  public Batch {
    records = List.copyOf(records);
  }

  /** Makes an update of records. */
  public static <R extends PartitionedRecord> Batch of(
      UpdateFunction<?, R> update, List<? extends R> records) {
    return new Batch(update, records);
  }

  /** Makes an update without records, of every actor. */
  public static Batch ofAllActors(UpdateFunction<?, ?> update) {
    return new Batch(update, List.of());
  }
}
