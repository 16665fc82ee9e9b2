package io.uniserve.engines.sharedscan;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.engines.sharedscan.data.Cells;
import io.uniserve.engines.sharedscan.scan.Operation;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * An update that inserts records, all of them or none. A {@link RejectedRowException} names the
 * first that the schema refuses.
 */
@Name("AddRows")
public record AddRows()
    implements BatchedChange,
        UpdateFunction.Eventual<SharedScanActor, Row>,
        UpdateFunction.Ordered<SharedScanActor, Row> {
  @Override
  public Answer update(SharedScanActor actor, List<Row> rows) {
    return actor.live().apply(this, rows);
  }

  @Override
  public Operation operation(TableSchema schema, List<? extends PartitionedRecord> records) {
    Cells cells = new Cells(schema.columns());
    List<Object[]> rows = new ArrayList<>(records.size());
    for (PartitionedRecord record : records) {
      try {
        rows.add(stored(schema, cells, (Row) record));
      } catch (UniserveException e) {
        throw new RejectedRowException(rows.size(), e.getMessage());
      }
    }
    return new Operation.Insertion(rows);
  }

  private static Object[] stored(TableSchema schema, Cells cells, Row row) {
    ByteBuffer bytes = row.cells().duplicate().order(ByteOrder.LITTLE_ENDIAN);
    Object[] stored = cells.take(bytes);
    if (bytes.hasRemaining()
        || !schema.key(stored[schema.partitionBy()]).equals(row.partitionKey())) {
      throw UniserveException.invalid("a record has another key than its values say");
    }
    return stored;
  }
}
