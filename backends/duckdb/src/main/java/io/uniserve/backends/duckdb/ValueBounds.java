package io.uniserve.backends.duckdb;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Replacements of DuckDB's functions that make large values from small ones. DuckDB makes two
 * thousand such values at once, outside of its memory limit, and ignores a cancellation meanwhile.
 * Each replacement computes the size of its value first and calls the original only if the size is
 * allowed. The bounds must not depend on the process, since all copies of an actor make the same
 * changes.
 */
final class ValueBounds {
  /** The most bytes of a text that is made from less than a quarter of its bytes. */
  static final int BYTES_MAX = 128 << 10;

  /** The most elements of a list. */
  static final int ELEMENTS_MAX = 128 << 10;

  /** The most bytes of a character: {@code lpad} and the like count characters. */
  private static final int CHARACTER_BYTES_MAX = 4;

  private static final String LIST = "error('a list of more than " + ELEMENTS_MAX + " elements')";

  private static final String REPLACED =
      "strlen(a) + (strlen(a) - strlen(system.main.replace(a, b, '')))"
          + " // nullif(strlen(b), 0) * strlen(c)::HUGEINT";

  private ValueBounds() {}

  /** Creates the functions in a database that is new or has them already. */
  static void make(Statement statement) throws SQLException {
    for (String macro : macros()) {
      statement.execute("CREATE MACRO IF NOT EXISTS " + macro);
    }
  }

  private static List<String> macros() {
    return List.of(
        "repeat(a, b) AS system.main.repeat(a, "
            + bounded(
                "b > 4 AND strlen(a::VARCHAR)::HUGEINT * b > " + BYTES_MAX,
                tooLarge("b", "BIGINT"),
                "b")
            + ")",
        padded("lpad"),
        padded("rpad"),
        "replace(a, b, c) AS system.main.replace(a, b, "
            + bounded(
                "strlen(a)::HUGEINT * strlen(c) > %d AND %s > greatest(%d, 4 * strlen(a))"
                    .formatted(BYTES_MAX, REPLACED, BYTES_MAX),
                tooLarge("b", "INT") + "::VARCHAR",
                "c")
            + ")",
        "list_resize" + resized("list_resize"),
        "array_resize" + resized("array_resize"),
        "range" + counted("range"),
        "generate_series" + counted("generate_series"));
  }

  /**
   * Returns a cast that fails with the error's message. Unlike {@code error} it depends only on its
   * argument, as the original functions do. DuckDB therefore computes it in advance for constants
   * and shares calls with equal arguments.
   */
  private static String tooLarge(String argument, String type) {
    return "('a value of more than %d bytes' || left(%s::VARCHAR, 0))::%s"
        .formatted(BYTES_MAX, argument, type);
  }

  private static String bounded(String tooMuch, String failure, String value) {
    return "CASE WHEN " + tooMuch + " THEN " + failure + " ELSE " + value + " END";
  }

  private static String guarded(String tooMuch, String error, String original) {
    return bounded(tooMuch, error, "system.main." + original);
  }

  private static String padded(String name) {
    return name
        + "(a, b, c) AS system.main."
        + name
        + "(a, "
        + bounded("b > " + BYTES_MAX / CHARACTER_BYTES_MAX, tooLarge("b", "INT"), "b")
        + ", c)";
  }

  private static String resized(String name) {
    return "(a, b) AS "
        + guarded("b > " + ELEMENTS_MAX, LIST, name + "(a, b)")
        + ", (a, b, c) AS "
        + guarded("b > " + ELEMENTS_MAX, LIST, name + "(a, b, c)");
  }

  /**
   * Returns the condition that a series of numbers, or of moments with an interval, is too long.
   * The form that does not apply gives null, which counts as false.
   */
  private static String counted(String name) {
    String numbers =
        "abs(%s - %s) // abs(nullif(%s, 0)) > %d"
            .formatted(number("b"), number("a"), number("c"), ELEMENTS_MAX);
    String moments =
        "abs(%s - %s) // abs(nullif(epoch_us(try_cast(c::VARCHAR AS INTERVAL)), 0)) > %d"
            .formatted(moment("b"), moment("a"), ELEMENTS_MAX);
    return "(a) AS "
        + guarded(number("a") + " > " + ELEMENTS_MAX, LIST, name + "(a)")
        + ", (a, b) AS "
        + guarded(number("b") + " - " + number("a") + " > " + ELEMENTS_MAX, LIST, name + "(a, b)")
        + ", (a, b, c) AS "
        + guarded(numbers + " OR " + moments, LIST, name + "(a, b, c)");
  }

  private static String number(String of) {
    return "try_cast(" + of + "::VARCHAR AS HUGEINT)";
  }

  private static String moment(String of) {
    return "epoch_us(try_cast(" + of + "::VARCHAR AS TIMESTAMP))";
  }
}
