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
 * @param partitionKey the key of its partition columns; for a row of a replicated table, a key of
 *     the actor that gets it
 * @param table the SQL table's name
 * @param values the values in the order of its columns, each in the form of {@link Value}, or null
 */
@Name("Row")
public record Row(PartitionKey partitionKey, String table, List<Object> values)
    implements PartitionedRecord {
  /** Copies the values. */
  public Row {
    values = Collections.unmodifiableList(new ArrayList<>(values));
  }
}
