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

/** The values that a client binds to the parameters of a statement. */
final class ParameterValues {
  private static final long NANOS_PER_SECOND = 1_000_000_000;
  private static final long MILLIS_PER_DAY = 86_400_000;

  private ParameterValues() {}

  /**
   * The one row of what a client sends; no values if it sends none.
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
        rows.getFieldVectors().forEach(column -> values.add(value(column)));
      }
    }
    return values;
  }

  private static Object value(FieldVector column) {
    if (column.isNull(0)) {
      return null;
    }
    return switch (column) {
      case DateDayVector days -> LocalDate.ofEpochDay(days.get(0));
      case DateMilliVector millis ->
          LocalDate.ofEpochDay(Math.floorDiv(millis.get(0), MILLIS_PER_DAY));
      case TimeStampVector time -> time(time);
      default -> plain(column, column.getObject(0));
    };
  }

  /** Of a time with a zone, that of UTC. */
  private static LocalDateTime time(TimeStampVector vector) {
    TimeUnit unit = ((ArrowType.Timestamp) vector.getField().getType()).getUnit();
    long perSecond =
        switch (unit) {
          case SECOND -> 1;
          case MILLISECOND -> 1_000;
          case MICROSECOND -> 1_000_000;
          case NANOSECOND -> NANOS_PER_SECOND;
        };
    long value = vector.get(0);
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
              "SQL: no column has values of the type of a parameter, "
                  + column.getField().getType());
    };
  }
}
