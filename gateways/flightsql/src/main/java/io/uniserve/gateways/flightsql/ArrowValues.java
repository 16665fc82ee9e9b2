package io.uniserve.gateways.flightsql;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.util.Text;

/** The values that clients send: of the parameters of a statement, and of rows. */
final class ArrowValues {
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long MILLIS_PER_DAY = 86_400_000;

  /** The most rows of parameters of one call. */
  private static final int ROWS_MAX = 100_000;

  private static final int CHARS_MAX = 16 << 20;

  private ArrowValues() {}

  /**
   * The values of the parameters of a statement that runs once; none if a client sends none.
   *
   * @throws UniserveException if there are several rows; or as {@link #rows}
   */
  static List<Object> row(FlightStream stream) {
    List<List<Object>> rows = rows(stream);
    if (rows.size() > 1) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "SQL: a query runs once, with one row of parameters");
    }
    return rows.getFirst();
  }

  /**
   * The values of the parameters of a statement, for each time that it runs; one row without values
   * if a client sends none.
   *
   * @throws UniserveException if there are too many, or of types that no column has
   */
  static List<List<Object>> rows(FlightStream stream) {
    List<List<Object>> rows = new ArrayList<>();
    long chars = 0;
    while (stream.next()) {
      VectorSchemaRoot batch = stream.getRoot();
      for (int i = 0; i < batch.getRowCount(); i++) {
        List<Object> row = new ArrayList<>();
        for (FieldVector column : batch.getFieldVectors()) {
          Object value = value(column, i);
          chars += String.valueOf(value).length();
          row.add(value);
        }
        rows.add(row);
        requireFew(rows.size(), chars);
      }
    }
    return rows.isEmpty() ? List.of(List.of()) : rows;
  }

  private static void requireFew(int rows, long chars) {
    if (rows > ROWS_MAX || chars > CHARS_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "SQL: at most %d rows of parameters with %d characters together; more are added in bulk"
              .formatted(ROWS_MAX, CHARS_MAX));
    }
  }

  /**
   * A value of a column: null, Boolean, Long, Double, BigDecimal, String, LocalDate or
   * LocalDateTime.
   *
   * @throws UniserveException if it is of a type that no column of a warehouse has
   */
  static Object value(FieldVector column, int row) {
    if (column.isNull(row)) {
      return null;
    }
    return switch (column) {
      case DateDayVector days -> LocalDate.ofEpochDay(days.get(row));
      case DateMilliVector millis ->
          LocalDate.ofEpochDay(Math.floorDiv(millis.get(row), MILLIS_PER_DAY));
      case TimeStampVector time -> time(time, row);
      default -> plain(column, column.getObject(row));
    };
  }

  /** Of a time with a zone, that of UTC. */
  private static LocalDateTime time(TimeStampVector vector, int row) {
    TimeUnit unit = ((ArrowType.Timestamp) vector.getField().getType()).getUnit();
    long perSecond =
        switch (unit) {
          case SECOND -> 1;
          case MILLISECOND -> 1_000;
          case MICROSECOND -> 1_000_000;
          case NANOSECOND -> NANOS_PER_SECOND;
        };
    long value = vector.get(row);
    return LocalDateTime.ofEpochSecond(
        Math.floorDiv(value, perSecond),
        (int) (Math.floorMod(value, perSecond) * (NANOS_PER_SECOND / perSecond)),
        ZoneOffset.UTC);
  }

  private static Object plain(FieldVector column, Object value) {
    return switch (value) {
      case Boolean flag -> flag;
      case Character number -> (long) number; // 16 bits without a sign
      case BigDecimal number -> number;
      case Float number -> number.doubleValue();
      case Double number -> number;
      case Number number -> number.longValue();
      case Text text -> text.toString();
      default ->
          throw new UniserveException(
              ErrorCode.UNSUPPORTED,
              "SQL: '%s' has values of type %s, which no column has"
                  .formatted(column.getName(), column.getField().getType()));
    };
  }
}
