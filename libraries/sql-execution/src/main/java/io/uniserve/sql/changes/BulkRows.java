package io.uniserve.sql.changes;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.sql.backend.ArrowTable;
import io.uniserve.sql.backend.Row;
import io.uniserve.sql.backend.Session;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.pojo.Field;

/**
 * Rows of Arrow as records of an update: they go to their actors column by column, as they do in a
 * shuffle, and no value is made an object. An update of them does what one of as many {@link Row}s
 * does. Only databases take them whose sessions have {@link Session#put}.
 */
public final class BulkRows {
  private BulkRows() {}

  /** The update function of the records; it runs at the level of their warehouse. */
  @SuppressWarnings("unchecked") // what a record is divided into is what it takes
  public static UpdateFunction<?, PartitionedRecord> function() {
    return (UpdateFunction<?, PartitionedRecord>) (UpdateFunction<?, ?>) new PutBlocks();
  }

  /**
   * Rows as a record that is divided among the actors of a warehouse when it is stored.
   *
   * @param table the SQL table's name
   * @param rows with every column of the table by its name, whatever their order, in the types of
   *     {@link ArrowTable}; to be freed once they are stored
   * @throws UniserveException naming the column that is missing, of another type, or lacks a value
   */
  public static List<PartitionedRecord> records(
      TableDefinition warehouse, String table, VectorSchemaRoot rows) {
    return records(WarehouseSchema.of(warehouse).table(table), rows);
  }

  /** As {@link #records(TableDefinition, String, VectorSchemaRoot)}, of a table that is known. */
  static List<PartitionedRecord> records(SqlTable table, VectorSchemaRoot rows) {
    return List.of(new DividedBlock(table, ordered(table, rows)));
  }

  /**
   * Whether rows are as {@link #records} wants them. Others can be stored as rows are, which says
   * of each value what is wrong with it.
   *
   * @param table the SQL table's name
   */
  public static boolean fit(TableDefinition warehouse, String table, VectorSchemaRoot rows) {
    return fit(WarehouseSchema.of(warehouse).table(table), rows);
  }

  /** As {@link #fit(TableDefinition, String, VectorSchemaRoot)}, of a table that is known. */
  static boolean fit(SqlTable table, VectorSchemaRoot rows) {
    return rows.getFieldVectors().size() == table.columns().size()
        && table.columns().stream().allMatch(column -> fits(column, rows.getVector(column.name())));
  }

  private static boolean fits(SqlColumn column, FieldVector vector) {
    return vector != null
        && vector.getField().getDictionary() == null
        && vector.getField().getType().equals(ArrowTable.type(column.type()))
        && (column.nullable() || vector.getNullCount() == 0);
  }

  /** The vectors are the same ones. */
  private static VectorSchemaRoot ordered(SqlTable table, VectorSchemaRoot rows) {
    List<Field> fields = new ArrayList<>();
    List<FieldVector> vectors = new ArrayList<>();
    for (SqlColumn column : table.columns()) {
      FieldVector vector = rows.getVector(column.name());
      if (vector == null) {
        throw UniserveException.invalid(
            "table '" + table.name() + "': the rows lack column '" + column.name() + "'");
      }
      ArrowTable.requireType(table, column, vector.getField().getType());
      if (!column.nullable() && vector.getNullCount() > 0) {
        throw UniserveException.invalid("column '" + column.name() + "' lacks a value");
      }
      fields.add(vector.getField());
      vectors.add(vector);
    }
    return new VectorSchemaRoot(fields, vectors, rows.getRowCount());
  }
}
