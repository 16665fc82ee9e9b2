package io.uniserve.sql.changes;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.RejectedRowException;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.syntax.SqlTable;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * A table that rows are added to.
 *
 * @param table the table as its warehouse has it now
 */
public record Target(SqlTable table) {
  /**
   * Returns a table of a warehouse.
   *
   * @throws UniserveException if there is none of this name
   */
  public static Target of(TableDefinition warehouse, String name) {
    return new Target(WarehouseSchema.of(warehouse).table(name));
  }

  /**
   * Returns whether rows fit, as {@link BulkRows#fit(TableDefinition, String, VectorSchemaRoot)}
   * does.
   */
  public boolean fits(VectorSchemaRoot rows) {
    return BulkRows.fit(table, rows);
  }

  /** Makes records of {@link BulkRows#function} from rows that fit. */
  public List<PartitionedRecord> blocks(VectorSchemaRoot rows) {
    return BulkRows.records(table, rows);
  }

  /**
   * Makes records of {@link PutRows}.
   *
   * @param rows the values of columns by name
   * @throws RejectedRowException naming the first row that does not fit, and the reason
   */
  public List<PartitionedRecord> rows(List<Map<String, Object>> rows) {
    return RowRecords.of(rows, row -> table);
  }
}
