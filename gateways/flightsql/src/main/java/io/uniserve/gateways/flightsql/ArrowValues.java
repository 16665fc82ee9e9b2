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

  private ArrowValues() {}

  /**
   * The values of parameters, which are one row; none if a client sends none.
   *
   * @throws UniserveException if there are more rows, or values of types that no column has
   */
  static List<Object> of(FlightStream stream) {
    List<Object> values = new ArrayList<>();
    boolean given = false;
    while (stream.next()) {
      VectorSchemaRoot rows = stream.getRoot();
      if (rows.getRowCount() > (given ? 0 : 1)) {
        throw new UniserveException(
            ErrorCode.UNSUPPORTED, "SQL: a statement runs once, with one row of parameters");
      }
      if (rows.getRowCount() == 1) {
        given = true;
        rows.getFieldVectors().forEach(column -> values.add(value(column, 0)));
      }
    }
    return values;
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
