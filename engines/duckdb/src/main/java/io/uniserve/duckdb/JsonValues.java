package io.uniserve.duckdb;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Blob;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Timestamp;
import java.time.LocalDate;
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
 * Values of answers as a document has them: numbers that JSON's numbers hold, booleans, lists,
 * objects; of the rest texts, from which the value can be made again.
 */
final class JsonValues {
  private static final String INFINITY = "infinity";

  /** DuckDB's infinite dates and times are the last days that it can write. */
  private static final int INFINITE_YEAR = 290_000;

  private static final DateTimeFormatter WHOLE_SECONDS = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS");

  private JsonValues() {}

  /** One value, as the driver gives it. */
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
      case LocalDate day when isInfinite(day) -> infinity(day.getYear());
      case Timestamp time when isInfinite(time.toLocalDateTime().toLocalDate()) ->
          infinity(time.toLocalDateTime().getYear());
      case Timestamp time -> time.toLocalDateTime().toString().replace('T', ' ');
      case LocalTime time -> text(time);
      case OffsetTime time -> text(time.toLocalTime()) + offset(time.getOffset());
      case OffsetDateTime time when isInfinite(time.toLocalDate()) -> infinity(time.getYear());
      case OffsetDateTime time ->
          time.toLocalDate() + " " + text(time.toLocalTime()) + offset(time.getOffset());
      case Blob bytes -> HexFormat.of().formatHex(bytes.getBytes(1, (int) bytes.length()));
      case Array list -> list(Arrays.asList((Object[]) list.getArray()));
      case DuckDBStruct struct -> struct(struct);
      case Map<?, ?> map -> object(map);
      default -> value.toString();
    };
  }

  private static boolean isInfinite(LocalDate day) {
    return Math.abs(day.getYear()) > INFINITE_YEAR;
  }

  private static String infinity(int year) {
    return year < 0 ? "-" + INFINITY : INFINITY;
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

  /** One whose fields have no names is a list. */
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
