package io.uniserve.sql.backend;

import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.planner.DistributedQuery.Column;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
 * @param name the name, in lower case
 * @param columns the columns, with the types that queries return
 * @param primaryKey the columns that identify a row; none if there are no such columns
 */
public record ArrowTable(String name, Schema columns, List<String> primaryKey) {
  private static final int DECIMAL_BITS = 128;
  private static final int UNSIGNED_DIGITS = 20;

  /** Copies the key. */
  public ArrowTable {
    primaryKey = List.copyOf(primaryKey);
  }

  /** Returns the tables of a warehouse. */
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

  /** Makes a field without child fields. */
  public static Field field(String name, boolean nullable, ArrowType type) {
    return new Field(name, new FieldType(nullable, type, null), null);
  }

  /** Returns the Arrow type of values in query results. */
  public static ArrowType type(SqlType type) {
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

  /**
   * Returns the columns of a table for rows of Arrow. Their names become case-insensitive.
   *
   * @throws UniserveException naming a column that no table can have
   */
  public static List<SqlColumn> columns(Schema rows) {
    List<SqlColumn> columns = new ArrayList<>();
    for (Field field : rows.getFields()) {
      String name = field.getName().toLowerCase(Locale.ROOT);
      if (columns.stream().anyMatch(known -> known.name().equals(name))) {
        throw UniserveException.invalid("Column '" + name + "' twice; give one another name by AS");
      }
      columns.add(new SqlColumn(name, type(field), true));
    }
    return columns;
  }

  private static SqlType type(Field field) {
    return switch (field.getType()) {
      case ArrowType.Bool none -> new SqlType(SqlType.Kind.BOOLEAN, 0, 0);
      case ArrowType.Int number when bits(number) <= Integer.SIZE ->
          new SqlType(SqlType.Kind.INTEGER, 0, 0);
      case ArrowType.Int number when bits(number) <= Long.SIZE ->
          new SqlType(SqlType.Kind.BIGINT, 0, 0);
      case ArrowType.Int number -> new SqlType(SqlType.Kind.DECIMAL, UNSIGNED_DIGITS, 0);
      case ArrowType.FloatingPoint number -> new SqlType(SqlType.Kind.DOUBLE, 0, 0);
      case ArrowType.Decimal number ->
          new SqlType(SqlType.Kind.DECIMAL, number.getPrecision(), number.getScale());
      case ArrowType.Utf8 text -> new SqlType(SqlType.Kind.VARCHAR, 0, 0);
      case ArrowType.LargeUtf8 text -> new SqlType(SqlType.Kind.VARCHAR, 0, 0);
      case ArrowType.Date day -> new SqlType(SqlType.Kind.DATE, 0, 0);
      case ArrowType.Timestamp time -> new SqlType(SqlType.Kind.TIMESTAMP, 0, 0);
      default ->
          throw new UniserveException(
              ErrorCode.UNSUPPORTED,
              "column '" + field.getName() + "': no column has values of type " + field.getType());
    };
  }

  /** Returns the bits of a signed number that can hold the type's values. */
  private static int bits(ArrowType.Int type) {
    return type.getIsSigned() ? type.getBitWidth() : type.getBitWidth() + 1;
  }

  /** Returns the columns of an answer, among those of the last stage. The vectors are shared. */
  public static VectorSchemaRoot named(VectorSchemaRoot rows, List<Column> columns) {
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

  /**
   * Checks that a column has the type in its table.
   *
   * @throws UniserveException naming the column if it has another type
   */
  public static void requireType(SqlTable table, SqlColumn column, ArrowType type) {
    ArrowType wanted = type(column.type());
    if (!type.equals(wanted)) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT,
          "table '%s': column '%s' is %s, not %s"
              .formatted(table.name(), column.name(), type, wanted));
    }
  }

  /**
   * Checks that a block has the columns of its table.
   *
   * @throws UniserveException if it has other columns
   */
  public static void requireColumns(SqlTable table, VectorSchemaRoot rows) {
    if (rows.getFieldVectors().size() != table.columns().size()) {
      throw UniserveException.invalid(
          "table '%s' has %d columns, a block %d"
              .formatted(table.name(), table.columns().size(), rows.getFieldVectors().size()));
    }
    for (int i = 0; i < table.columns().size(); i++) {
      requireType(table, table.columns().get(i), rows.getVector(i).getField().getType());
    }
  }
}
