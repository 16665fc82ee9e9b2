package io.uniserve.sql.arrow;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.TimeStampVector;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.util.Text;

/** The conversion of Arrow's values to those of a SQL table's columns. */
public final class ArrowValue {
  private static final long MILLIS_PER_DAY = 86_400_000;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private ArrowValue() {}

  /**
   * Returns a value of a column: null, Boolean, Long, Double, BigDecimal, String, LocalDate or
   * LocalDateTime.
   *
   * @throws UniserveException if its type is not one of a SQL table's columns
   */
  public static Object of(FieldVector column, int row) {
    if (column.isNull(row)) {
      return null;
    }
    return switch (column) {
      case DateDayVector days -> LocalDate.ofEpochDay(days.get(row));
      case DateMilliVector millis ->
          LocalDate.ofEpochDay(Math.floorDiv(millis.get(row), MILLIS_PER_DAY));
      case TimeStampVector time -> time(time, row);
      case BaseFixedWidthVector values -> plain(column, column.getObject(row));
      case BaseVariableWidthVector values -> plain(column, column.getObject(row));
      case BaseLargeVariableWidthVector values -> plain(column, column.getObject(row));
      default -> throw unknown(column); // checked before its contents are read
    };
  }

  /** Returns the time; that of UTC for a time with a zone. */
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
      case Character number -> (long) number; // an unsigned number of 16 bits
      case BigDecimal number -> number;
      case Float number -> number.doubleValue();
      case Double number -> number;
      case Number number -> number.longValue();
      case Text text -> text.toString();
      default -> throw unknown(column);
    };
  }

  private static UniserveException unknown(FieldVector column) {
    return new UniserveException(
        ErrorCode.UNSUPPORTED,
        "'%s' has values of type %s, which no column has"
            .formatted(column.getName(), column.getField().getType()));
  }
}
