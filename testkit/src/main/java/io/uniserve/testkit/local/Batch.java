package io.uniserve.testkit.local;

import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.List;

/**
 * One update with the records that it applies.
 *
 * @param update what applies them
 * @param records each goes to the actor of its key; if there are none, the update runs on every
 *     actor
 */
public record Batch(UpdateFunction<?, ?> update, List<? extends PartitionedRecord> records) {
  /** Copies the records. */
  public Batch {
    records = List.copyOf(records);
  }

  /** An update of records. */
  public static <R extends PartitionedRecord> Batch of(
      UpdateFunction<?, R> update, List<? extends R> records) {
    return new Batch(update, records);
  }

  /** An update without records, of every actor. */
  public static Batch ofAllActors(UpdateFunction<?, ?> update) {
    return new Batch(update, List.of());
  }
}
