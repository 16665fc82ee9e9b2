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
 * @param table as its warehouse has it now
 */
public record Target(SqlTable table) {
  /**
   * A table of a warehouse.
   *
   * @throws UniserveException if there is none of this name
   */
  public static Target of(TableDefinition warehouse, String name) {
    return new Target(WarehouseSchema.of(warehouse).table(name));
  }

  /** As {@link BulkRows#fit(TableDefinition, String, VectorSchemaRoot)}. */
  public boolean fits(VectorSchemaRoot rows) {
    return BulkRows.fit(table, rows);
  }

  /** Records of {@link BulkRows#function}, of rows that fit. */
  public List<PartitionedRecord> blocks(VectorSchemaRoot rows) {
    return BulkRows.records(table, rows);
  }

  /**
   * Records of {@link PutRows}.
   *
   * @param rows the values of columns by name
   * @throws RejectedRowException naming the first that does not fit, and why
   */
  public List<PartitionedRecord> rows(List<Map<String, Object>> rows) {
    return RowRecords.of(rows, row -> table);
  }
}
