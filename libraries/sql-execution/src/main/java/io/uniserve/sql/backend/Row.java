package io.uniserve.sql.backend;

import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A row of a SQL table.
 *
 * @param partitionKey of its partition columns; of a replicated table's row, of an actor that gets
 *     it
 * @param table the SQL table's name
 * @param values in the order of its columns, each as {@link Value} has it, or null
 */
@Name("Row")
public record Row(PartitionKey partitionKey, String table, List<Object> values)
    implements PartitionedRecord {
  /** Copies the values. */
  public Row {
    values = Collections.unmodifiableList(new ArrayList<>(values));
  }
}
