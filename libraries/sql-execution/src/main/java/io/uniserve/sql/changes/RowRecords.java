package io.uniserve.sql.changes;

import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.sql.arrow.Spreading;
import io.uniserve.sql.backend.Row;
import io.uniserve.sql.backend.Value;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The conversion of documents to records of {@link PutRows}. */
public final class RowRecords {
  private RowRecords() {}

  /**
   * Makes a record of each row, in their order.
   *
   * @param rows the values of columns by name, and the entries that {@code tableOf} removes
   * @param tableOf returns the table of a row; it may remove the entry that names it
   * @throws RejectedRowException naming the first row that does not fit its table, and the reason
   */
  public static List<PartitionedRecord> of(
      List<Map<String, Object>> rows, Function<Map<String, Object>, SqlTable> tableOf) {
    List<PartitionedRecord> records = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      Map<String, Object> fields = new LinkedHashMap<>(rows.get(i));
      try {
        SqlTable table = tableOf.apply(fields);
        List<Object> values = values(table, fields);
        records.add(
            table.replicated()
                ? new CopiedRow(table.stored(), values)
                : new Row(key(table, values), table.stored(), values));
      } catch (UniserveException e) {
        throw new RejectedRowException(i, e.getMessage());
      }
    }
    return records;
  }

  private static List<Object> values(SqlTable table, Map<String, Object> fields) {
    List<Object> values = new ArrayList<>();
    for (SqlColumn column : table.columns()) {
      values.add(Value.of(column, fields.remove(column.name())));
    }
    if (!fields.isEmpty()) {
      throw UniserveException.invalid(
          "table '" + table.name() + "' has no column '" + fields.keySet().iterator().next() + "'");
    }
    return values;
  }

  /**
   * Returns the partition key of a row of a spread table, from its one partition column or from all
   * of them in order.
   */
  private static PartitionKey key(SqlTable table, List<Object> values) {
    List<PartitionKey> keys =
        table.partitionBy().stream().map(name -> key(values.get(table.indexOf(name)))).toList();
    return keys.size() == 1 ? keys.getFirst() : Spreading.joined(keys);
  }

  private static PartitionKey key(Object value) {
    return switch (value) {
      case null -> Spreading.NULL;
      case Long number -> PartitionKey.of(number);
      default -> PartitionKey.of((String) value);
    };
  }
}
