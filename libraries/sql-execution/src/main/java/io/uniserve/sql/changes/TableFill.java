package io.uniserve.sql.changes;

import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.sql.arrow.ArrowValue;
import io.uniserve.sql.stages.QueryBlocks;
import io.uniserve.sql.syntax.SqlTable;
import java.nio.ByteBuffer;
import java.time.temporal.Temporal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A plan that stores the rows of a query in a table that statements cannot name yet. It therefore
 * may use as many updates as needed, while {@link QueryBlocks} holds few rows at a time.
 *
 * @param warehouse the warehouse of the table
 * @param query the query, whose columns are the table's
 * @param table the table
 */
public record TableFill(TableDefinition warehouse, QueryBlocks query, SqlTable table) {
  private static final int UPDATE_ROWS_MAX = 50_000;
  private static final int UPDATE_BYTES_MAX = 16 << 20;

  /** Makes the plan, which answers with the number of rows. */
  Plan<Long> plan() {
    return query.plan(0L, (blocks, before) -> stored(new ArrayDeque<>(blocks), before));
  }

  private Plan<Long> stored(Deque<ByteBuffer> blocks, long before) {
    List<Map<String, Object>> rows = new ArrayList<>();
    long bytes = 0;
    while (!blocks.isEmpty() && rows.size() < UPDATE_ROWS_MAX && bytes < UPDATE_BYTES_MAX) {
      ByteBuffer block = blocks.remove();
      bytes += block.remaining();
      query.read(block, batch -> add(batch, rows));
    }
    if (rows.isEmpty()) {
      return new Plan.Known<>(before);
    }
    List<PartitionedRecord> records = RowRecords.of(rows, row -> table);
    return new Plan.Update(warehouse.name(), new PutRows(), records)
        .then(done -> stored(blocks, before + rows.size()));
  }

  private void add(VectorSchemaRoot batch, List<Map<String, Object>> rows) {
    for (int i = 0; i < batch.getRowCount(); i++) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (int column = 0; column < table.columns().size(); column++) {
        Object value = ArrowValue.of(batch.getVector(column), i);
        row.put(
            table.columns().get(column).name(),
            value instanceof Temporal ? value.toString() : value);
      }
      rows.add(row);
    }
  }
}
