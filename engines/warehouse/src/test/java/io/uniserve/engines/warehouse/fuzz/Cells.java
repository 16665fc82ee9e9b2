package io.uniserve.engines.warehouse.fuzz;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.sql.Timestamp;

/** Values as texts that are equal for equal values, whatever the types of numbers are. */
final class Cells {
  private static final MathContext DIGITS = new MathContext(11);

  /** The greatest rest that the last digits of a sum may leave. */
  private static final double SMALLEST = 1e-9;

  private Cells() {}

  /** Formats a value of JDBC. */
  static String text(Object value) {
    return switch (value) {
      case null -> "null";
      case Double number when !Double.isFinite(number) -> number.toString();
      case Double number -> number(number);
      case Float number -> text(number.doubleValue());
      case BigDecimal number -> plain(number);
      case BigInteger number -> plain(new BigDecimal(number));
      case Number number -> plain(BigDecimal.valueOf(number.longValue()));
      case Timestamp time -> "'" + time.toLocalDateTime().toString().replace('T', ' ') + "'";
      default -> value instanceof Boolean ? value.toString() : "'" + value + "'";
    };
  }

  /**
   * Formats a value of a warehouse's answer.
   *
   * @param type the type of its column
   */
  static String text(Object value, String type) {
    boolean number = type.startsWith("DECIMAL") || type.endsWith("INT");
    if (type.equals("DOUBLE") && value instanceof String text) {
      return text; // not finite
    }
    return value instanceof String text && number ? plain(new BigDecimal(text)) : text(value);
  }

  private static String number(double value) {
    return Math.abs(value) < SMALLEST ? "0" : plain(BigDecimal.valueOf(value).round(DIGITS));
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }
}
