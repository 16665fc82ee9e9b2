package io.uniserve.backends.duckdb;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Blob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Timestamp;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.duckdb.DuckDBStruct;

/**
 * The conversion of answers' values to documents: numbers that JSON can hold, booleans, lists and
 * objects. All other values become texts from which they can be made again.
 */
final class JsonValues {
  private static final String INFINITY = "infinity";

  /** The driver's value for DuckDB's infinite dates. */
  private static final LocalDate LAST_DAY = LocalDate.of(5_881_580, 7, 11);

  private static final LocalDate FIRST_DAY = LocalDate.of(-5_877_641, 6, 24);

  /** The driver's value for its infinite times. */
  private static final LocalDateTime LAST_TIME =
      LocalDateTime.of(294_247, 1, 10, 4, 0, 54, 775_807_000);

  private static final LocalDateTime FIRST_TIME =
      LocalDateTime.of(-290_308, 12, 21, 19, 59, 5, 224_193_000);

  private static final DateTimeFormatter WHOLE_SECONDS = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS");

  private JsonValues() {}

  /**
   * Returns a value of a row. It reads times without a zone apart, since {@link Timestamp} loses
   * their era.
   *
   * @param column the place of the column, from 1
   */
  static Object of(ResultSet row, int column) throws SQLException {
    return row.getMetaData().getColumnTypeName(column).equals("TIMESTAMP")
        ? of(row.getObject(column, LocalDateTime.class))
        : of(row.getObject(column));
  }

  /** Converts a value of the driver. */
  static Object of(Object value) throws SQLException {
    return switch (value) {
      case null -> null;
      case Boolean flag -> flag;
      case Double number when Double.isFinite(number) -> number;
      case Float number when Float.isFinite(number) -> number.doubleValue();
      case Integer number -> number.longValue();
      case Short number -> number.longValue();
      case Byte number -> number.longValue();
      case Long number -> number;
      case BigInteger number when number.bitLength() < Long.SIZE -> number.longValue();
      case BigDecimal number when number.scale() == 0 && number.precision() < 19 ->
          number.longValueExact();
      case BigDecimal number -> number.toPlainString();
      case LocalDate day when day.equals(LAST_DAY) -> INFINITY;
      case LocalDate day when day.equals(FIRST_DAY) -> "-" + INFINITY;
      case LocalDate day -> text(day);
      case LocalDateTime time when time.equals(LAST_TIME) -> INFINITY;
      case LocalDateTime time when time.equals(FIRST_TIME) -> "-" + INFINITY;
      case LocalDateTime time -> text(time.toLocalDate()) + " " + time.toLocalTime();
      case Timestamp time -> of(time.toLocalDateTime());
      case LocalTime time -> text(time);
      case OffsetTime time -> text(time.toLocalTime()) + offset(time.getOffset());
      case OffsetDateTime time when time.toLocalDateTime().equals(LAST_TIME) -> INFINITY;
      case OffsetDateTime time ->
          text(time.toLocalDate()) + " " + text(time.toLocalTime()) + offset(time.getOffset());
      case Blob bytes -> HexFormat.of().formatHex(bytes.getBytes(1, (int) bytes.length()));
      case Array list -> list(Arrays.asList((Object[]) list.getArray()));
      case DuckDBStruct struct -> struct(struct);
      case Map<?, ?> map -> object(map);
      default -> value.toString();
    };
  }

  /** Writes a date as DuckDB does. DuckDB does not read the signs of ISO's years. */
  private static String text(LocalDate day) {
    int year = day.getYear();
    String text =
        "%04d-%02d-%02d"
            .formatted(year > 0 ? year : 1 - year, day.getMonthValue(), day.getDayOfMonth());
    return year > 0 ? text : text + " (BC)";
  }

  private static String text(LocalTime time) {
    return time.format(time.getNano() == 0 ? WHOLE_SECONDS : MICROS);
  }

  private static String offset(ZoneOffset offset) {
    return offset.equals(ZoneOffset.UTC) ? "+00:00" : offset.getId();
  }

  private static List<Object> list(List<?> values) throws SQLException {
    List<Object> list = new ArrayList<>(values.size());
    for (Object value : values) {
      list.add(of(value));
    }
    return list;
  }

  /** Converts a struct; one whose fields have no names becomes a list. */
  private static Object struct(DuckDBStruct struct) throws SQLException {
    Map<?, ?> fields = struct.getMap();
    Object[] values = ((Struct) struct).getAttributes();
    return fields.size() < values.length || fields.containsKey("")
        ? list(Arrays.asList(values))
        : object(fields);
  }

  private static Map<String, Object> object(Map<?, ?> map) throws SQLException {
    Map<String, Object> object = new LinkedHashMap<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      object.put(String.valueOf(of(entry.getKey())), of(entry.getValue()));
    }
    return object;
  }
}
