package io.uniserve.sql.changes;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.sql.arrow.Spreading;
import io.uniserve.sql.backend.Row;
import java.util.List;

/**
 * A row of a replicated SQL table, of which each actor is sent a {@link Row}.
 *
 * @param table the name that the SQL table is stored under
 * @param values as a {@link Row} has them
 */
record CopiedRow(String table, List<Object> values) implements PartitionedRecord {
  /** Of some actor's: it is in all. */
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
