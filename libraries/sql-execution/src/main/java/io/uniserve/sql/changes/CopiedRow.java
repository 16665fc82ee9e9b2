package io.uniserve.sql.changes;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.sql.arrow.Spreading;
import io.uniserve.sql.backend.Row;
import java.util.List;

/**
 * A row of a replicated SQL table, which is sent to each actor as a {@link Row}.
 *
 * @param table the stored name of the SQL table
 * @param values the values, as in a {@link Row}
 */
record CopiedRow(String table, List<Object> values) implements PartitionedRecord {
  /** Returns a key of any actor, since the row is in all of them. */
  @Override
  public PartitionKey partitionKey() {
    return Spreading.NULL;
  }

  @Override
  public List<Row> divided(Partitioner partitioner) {
    return Spreading.everyActor(partitioner).values().stream()
        .map(actor -> new Row(actor, table, values))
        .toList();
  }
}
