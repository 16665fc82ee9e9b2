package io.uniserve.gateways.flightsql.protocol;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.arrow.flight.sql.FlightSqlColumnMetadata;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The metadata of columns besides their types: digits, lengths and origin, in Flight SQL's form.
 * JDBC's driver has no other source of it.
 */
public final class ColumnMetadata {
  /** The characters of a date, as in {@code 2024-02-29}. */
  private static final int DATE_CHARS = 10;

  /** The characters of a time, as in {@code 12:34:56}. */
  private static final int TIME_CHARS = 8;

  private static final int DOUBLE_DIGITS = 15;
  private static final int FLOAT_DIGITS = 7;

  private ColumnMetadata() {}

  /** Adds metadata to the columns of an answer, which belong to no table. */
  public static Schema ofAnswer(Schema columns) {
    return described(columns, () -> new FlightSqlColumnMetadata.Builder().isReadOnly(true));
  }

  /** Adds metadata to the columns of a table of a warehouse. */
  public static Schema of(Schema columns, String warehouse, String table) {
    return described(
        columns,
        () ->
            new FlightSqlColumnMetadata.Builder()
                .schemaName(warehouse)
                .tableName(table)
                .isReadOnly(false));
  }

  private static Schema described(
      Schema columns, Supplier<FlightSqlColumnMetadata.Builder> metadata) {
    return new Schema(
        columns.getFields().stream().map(column -> described(column, metadata.get())).toList(),
        columns.getCustomMetadata());
  }

  private static Field described(Field column, FlightSqlColumnMetadata.Builder metadata) {
    metadata
        .isAutoIncrement(false)
        .isSearchable(true)
        .isCaseSensitive(column.getType() instanceof ArrowType.Utf8);
    describe(column.getType(), metadata);
    Map<String, String> all = new HashMap<>(column.getMetadata());
    all.putAll(metadata.build().getMetadataMap());
    FieldType type =
        new FieldType(column.isNullable(), column.getType(), column.getDictionary(), all);
    return new Field(column.getName(), type, column.getChildren());
  }

  private static void describe(ArrowType type, FlightSqlColumnMetadata.Builder metadata) {
    switch (type) {
      case ArrowType.Bool none -> metadata.typeName("BOOLEAN").precision(1);
      case ArrowType.Int number ->
          metadata.typeName(name(number)).precision(digits(number)).scale(0);
      case ArrowType.Decimal number ->
          metadata.typeName("DECIMAL").precision(number.getPrecision()).scale(number.getScale());
      case ArrowType.FloatingPoint number ->
          metadata
              .typeName(name(number))
              .precision(isDouble(number) ? DOUBLE_DIGITS : FLOAT_DIGITS);
      case ArrowType.Utf8 text -> metadata.typeName("VARCHAR").precision(Integer.MAX_VALUE);
      case ArrowType.Date day -> metadata.typeName("DATE").precision(DATE_CHARS).scale(0);
      case ArrowType.Time time -> {
        int digits = digits(time.getUnit());
        metadata.typeName("TIME").precision(chars(TIME_CHARS, digits)).scale(digits);
      }
      case ArrowType.Timestamp time -> {
        int digits = digits(time.getUnit());
        metadata
            .typeName("TIMESTAMP")
            .precision(chars(DATE_CHARS + 1 + TIME_CHARS, digits))
            .scale(digits);
      }
      default -> {} // types such as lists have neither digits nor a length
    }
  }

  private static String name(ArrowType.Int type) {
    return switch (type.getBitWidth()) {
      case Byte.SIZE -> "TINYINT";
      case Short.SIZE -> "SMALLINT";
      case Integer.SIZE -> "INTEGER";
      default -> "BIGINT";
    };
  }

  /** Returns the number of digits of the type's largest number. */
  private static int digits(ArrowType.Int type) {
    int bits = type.getIsSigned() ? type.getBitWidth() - 1 : type.getBitWidth();
    return (int) Math.ceil(bits * Math.log10(2));
  }

  private static boolean isDouble(ArrowType.FloatingPoint type) {
    return type.getPrecision() == FloatingPointPrecision.DOUBLE;
  }

  private static String name(ArrowType.FloatingPoint type) {
    return isDouble(type) ? "DOUBLE" : "FLOAT";
  }

  private static int digits(TimeUnit unit) {
    return switch (unit) {
      case SECOND -> 0;
      case MILLISECOND -> 3;
      case MICROSECOND -> 6;
      case NANOSECOND -> 9;
    };
  }

  private static int chars(int whole, int digits) {
    return digits == 0 ? whole : whole + 1 + digits;
  }
}
