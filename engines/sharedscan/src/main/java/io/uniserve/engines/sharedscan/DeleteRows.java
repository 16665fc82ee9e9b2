package io.uniserve.engines.sharedscan;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.engines.sharedscan.scan.Operation;
import io.uniserve.engines.sharedscan.scan.Test;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.util.List;

/**
 * An update that deletes the records that pass all tests. It answers how many there were.
 *
 * @param where the tests
 */
@Name("DeleteRows")
public record DeleteRows(List<Test> where)
    implements BatchedChange,
        UpdateFunction.Eventual<SharedScanActor, Address>,
        UpdateFunction.Ordered<SharedScanActor, Address> {
  /** Copies the tests. */
  public DeleteRows {
    where = List.copyOf(where);
  }

  @Override
  public Answer update(SharedScanActor actor, List<Address> addresses) {
    return actor.live().apply(this, addresses);
  }

  @Override
  public Operation operation(TableSchema schema, List<? extends PartitionedRecord> records) {
    Operation.check(where, schema);
    return Operation.Change.deletion(where);
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public int answerBytesMax(int records) {
    return ChangeRows.ANSWER_BYTES;
  }
}
