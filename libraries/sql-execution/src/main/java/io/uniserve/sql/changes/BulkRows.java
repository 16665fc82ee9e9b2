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
 * Rows of Arrow as records of an update. They are sent to their actors column by column, as in a
 * shuffle, without an object for each value. Such an update has the same effect as one of as many
 * {@link Row}s. It requires databases whose sessions implement {@link Session#put}.
 */
public final class BulkRows {
  private BulkRows() {}

  /** Returns the update function of the records, which runs at the level of their warehouse. */
  @SuppressWarnings("unchecked") // what a record is divided into is what it takes
  public static UpdateFunction<?, PartitionedRecord> function() {
    return (UpdateFunction<?, PartitionedRecord>) (UpdateFunction<?, ?>) new PutBlocks();
  }

  /**
   * Makes a record of rows, which is divided among the actors of a warehouse when it is stored.
   *
   * @param table the SQL table's name
   * @param rows the rows, with every column of the table by its name, in any order, in the types of
   *     {@link ArrowTable}; they must stay until they are stored
   * @throws UniserveException naming the column that is missing, of another type, or lacks a value
   */
  public static List<PartitionedRecord> records(
      TableDefinition warehouse, String table, VectorSchemaRoot rows) {
    return records(WarehouseSchema.of(warehouse).table(table), rows);
  }

  /**
   * Makes a record of rows as {@link #records(TableDefinition, String, VectorSchemaRoot)} does, for
   * a given table.
   */
  static List<PartitionedRecord> records(SqlTable table, VectorSchemaRoot rows) {
    return List.of(new DividedBlock(table, ordered(table, rows)));
  }

  /**
   * Returns whether rows have the form that {@link #records} requires. Other rows can be stored one
   * by one, with an error for each value that does not fit.
   *
   * @param table the SQL table's name
   */
  public static boolean fit(TableDefinition warehouse, String table, VectorSchemaRoot rows) {
    return fit(WarehouseSchema.of(warehouse).table(table), rows);
  }

  /**
   * Returns whether rows fit, as {@link #fit(TableDefinition, String, VectorSchemaRoot)} does, for
   * a given table.
   */
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

  /** Returns the rows with the table's order of columns. The vectors are shared. */
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
