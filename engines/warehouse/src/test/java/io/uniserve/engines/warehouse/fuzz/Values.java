package io.uniserve.engines.warehouse.fuzz;

import java.math.BigDecimal;
import java.sql.Timestamp;
import java.util.List;

/**
 * Values as SQL writes them, few of each type, so that many are equal.
 *
 * @param edges true if some are the greatest of their type, of which sums and products may be too
 *     great
 */
record Values(Choices choices, boolean edges) {
  private static final List<String> TEXTS =
      List.of(
          "'a'", "'b'", "'A'", "'ab'", "'Ab'", "'ba'", "''", "' a '", "'a%b'", "'a_b'", "'O''x'",
          "'é★'", "'12'", "'null'", "'x\\y'");
  private static final List<String> DATES =
      List.of("2024-01-01", "2024-02-29", "2023-12-31", "1999-10-05", "1969-07-20", "2024-01-02");
  private static final List<String> TIMES =
      List.of("00:00:00", "12:30:00", "23:59:59.999999", "00:00:00.5");

  /** One of a type, null now and then. */
  String nullable(Type type) {
    return choices.chance(18) ? "null" : of(type);
  }

  String of(Type type) {
    return switch (type) {
      case BOOLEAN -> choices.oneOf("true", "false");
      case INTEGER -> edge("2147483647", "-2147483648", number(9));
      case BIGINT -> edge("9223372036854775807", "4294967296", number(9));
      case DOUBLE ->
          choices.oneOf("0.5e0", "-0.25e0", "2e0", "1e0", "0e0", "3.75e0", "-8e0", "100e0");
      case DECIMAL ->
          edge("9999999999.99", "-0.01", number(20) + choices.oneOf(".00", ".50", ".25", ".05"));
      case TEXT -> choices.oneOf(TEXTS);
      case DATE -> "date '" + choices.oneOf(DATES) + "'";
      case TIMESTAMP -> "timestamp '" + choices.oneOf(DATES) + " " + choices.oneOf(TIMES) + "'";
    };
  }

  /** A value as SQL writes it. */
  static String written(Type type, Object value) {
    if (value == null) {
      return "null";
    }
    return switch (type) {
      case BOOLEAN, INTEGER, BIGINT -> value.toString();
      case DOUBLE -> "cast('" + value + "' as double)";
      case DECIMAL -> ((BigDecimal) value).toPlainString();
      case TEXT -> "'" + value.toString().replace("'", "''") + "'";
      case DATE -> "date '" + value + "'";
      case TIMESTAMP -> "timestamp '" + ((Timestamp) value).toLocalDateTime() + "'";
    };
  }

  private String edge(String most, String other, String usual) {
    return !edges || choices.chance(90) ? usual : choices.oneOf(most, other);
  }

  private String number(int most) {
    return String.valueOf(choices.between(-3, most));
  }
}
