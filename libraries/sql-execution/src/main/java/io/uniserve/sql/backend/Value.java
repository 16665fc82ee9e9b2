package io.uniserve.sql.backend;

import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * The wire form of columns' values: whole numbers and dates (days since 1970) as {@link Long},
 * timestamps as Long (microseconds since 1970), decimals and texts as {@link String}, all others
 * unchanged.
 */
public final class Value {
  private static final long MICROS_PER_SECOND = 1_000_000;

  private Value() {}

  /**
   * Converts a value of a document to one of a column.
   *
   * @throws UniserveException naming the column and the value that does not fit
   */
  public static Object of(SqlColumn column, Object given) {
    if (given == null || given.equals("") && column.type().kind() != SqlType.Kind.VARCHAR) {
      if (!column.nullable()) {
        throw UniserveException.invalid("column '" + column.name() + "' lacks a value");
      }
      return null;
    }
    try {
      return of(column.type(), given);
    } catch (ArithmeticException
        | IllegalArgumentException
        | DateTimeException
        | ClassCastException e) {
      throw UniserveException.invalid(
          "column '" + column.name() + "': " + given + " is no " + column.type());
    }
  }

  private static Object of(SqlType type, Object given) {
    return switch (type.kind()) {
      case BOOLEAN -> given instanceof Boolean flag ? flag : bool((String) given);
      case INTEGER -> (long) number(given).intValueExact();
      case BIGINT -> number(given).longValueExact();
      case DOUBLE ->
          given instanceof Number some ? some.doubleValue() : Double.parseDouble((String) given);
      case DECIMAL -> decimal(type, number(given));
      case VARCHAR -> given instanceof String text ? text : text(given);
      case DATE -> LocalDate.parse((String) given).toEpochDay();
      case TIMESTAMP -> micros(LocalDateTime.parse(((String) given).replace(' ', 'T')));
    };
  }

  private static boolean bool(String text) {
    return switch (text) {
      case "true", "t", "1" -> true;
      case "false", "f", "0" -> false;
      default -> throw new IllegalArgumentException(text);
    };
  }

  private static String text(Object given) {
    if (given instanceof Number || given instanceof Boolean) {
      return given.toString();
    }
    throw new IllegalArgumentException("neither text nor number");
  }

  private static BigDecimal number(Object given) {
    String text = given instanceof Number some ? some.toString() : (String) given;
    if (text.length() > 2 * SqlType.PRECISION_MAX) {
      throw new IllegalArgumentException("too long");
    }
    return new BigDecimal(text);
  }

  private static String decimal(SqlType type, BigDecimal number) {
    if (number.precision() - (long) number.scale() > type.precision() - type.scale()) {
      throw new ArithmeticException("too large");
    }
    return number.setScale(type.scale(), RoundingMode.UNNECESSARY).toPlainString();
  }

  private static long micros(LocalDateTime time) {
    return Math.addExact(
        Math.multiplyExact(time.toEpochSecond(ZoneOffset.UTC), MICROS_PER_SECOND),
        time.getNano() / 1_000);
  }
}
