package io.uniserve.engines.sharedscan;

import io.uniserve.api.Answer;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.engines.sharedscan.scan.Operation;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.util.List;

/** An update function as an operation of a batch. */
interface BatchedChange {
  /**
   * Makes the operation. What is not refused here is never refused later.
   *
   * @throws UniserveException if the update is refused
   */
  Operation operation(TableSchema schema, List<? extends PartitionedRecord> records);

  /** Returns the answer of an operation that is done. */
  default Answer answer(Operation done) {
    return done instanceof Operation.Change change ? Answer.of(change.changed()) : Answer.NONE;
  }
}
