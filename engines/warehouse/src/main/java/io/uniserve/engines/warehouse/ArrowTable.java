package io.uniserve.engines.warehouse;

import io.uniserve.api.TableDefinition;
import io.uniserve.sqlplanner.DistributedQuery.Column;
import io.uniserve.sqlplanner.SqlTable;
import io.uniserve.sqlplanner.SqlType;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A SQL table of a warehouse, in the terms of Arrow.
 *
 * @param name in lower case
 * @param columns with the types in which queries give them
 * @param primaryKey the columns that tell its rows from each other; none if nothing does
 */
public record ArrowTable(String name, Schema columns, List<String> primaryKey) {
  private static final int DECIMAL_BITS = 128;

  /** Copies the key. */
  public ArrowTable {
    primaryKey = List.copyOf(primaryKey);
  }

  /** The tables of a warehouse. */
  public static List<ArrowTable> of(TableDefinition warehouse) {
    return WarehouseSchema.of(warehouse).tables().values().stream().map(ArrowTable::of).toList();
  }

  private static ArrowTable of(SqlTable table) {
    List<Field> fields =
        table.columns().stream()
            .map(column -> field(column.name(), column.nullable(), type(column.type())))
            .toList();
    return new ArrowTable(table.name(), new Schema(fields), table.primaryKey());
  }

  static Field field(String name, boolean nullable, ArrowType type) {
    return new Field(name, new FieldType(nullable, type, null), null);
  }

  static ArrowType type(SqlType type) {
    return switch (type.kind()) {
      case BOOLEAN -> new ArrowType.Bool();
      case INTEGER -> new ArrowType.Int(Integer.SIZE, true);
      case BIGINT -> new ArrowType.Int(Long.SIZE, true);
      case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
      case DECIMAL -> new ArrowType.Decimal(type.precision(), type.scale(), DECIMAL_BITS);
      case VARCHAR -> new ArrowType.Utf8();
      case DATE -> new ArrowType.Date(DateUnit.DAY);
      case TIMESTAMP -> new ArrowType.Timestamp(TimeUnit.MICROSECOND, null);
    };
  }

  /** The columns of an answer, among those of the last stage. The vectors are the same ones. */
  static VectorSchemaRoot named(VectorSchemaRoot rows, List<Column> columns) {
    List<Field> fields = new ArrayList<>();
    List<FieldVector> vectors = new ArrayList<>();
    for (Column column : columns) {
      FieldVector vector = rows.getVector(column.index());
      Field field = vector.getField();
      fields.add(new Field(column.name(), field.getFieldType(), field.getChildren()));
      vectors.add(vector);
    }
    return new VectorSchemaRoot(fields, vectors, rows.getRowCount());
  }
}
