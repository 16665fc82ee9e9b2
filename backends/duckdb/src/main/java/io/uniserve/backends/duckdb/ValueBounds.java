package io.uniserve.backends.duckdb;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Replacements of DuckDB's functions that make large values from small ones. Each computes the size
 * of its value first, asks for {@link ValueRoom} unless the value is small, and calls the original.
 */
final class ValueBounds {
  /** The most bytes of a value that is made without asking. */
  private static final int SMALL_BYTES = 256;

  /** The most bytes of a character: {@code lpad} and the like count characters. */
  private static final int CHARACTER_BYTES_MAX = 4;

  /** The bytes of a number or a moment in a list. */
  private static final int ELEMENT_BYTES = 8;

  /** The assumed bytes that a list is made from, with which a change may make 131,072 elements. */
  private static final int LIST_BYTES = 256 << 10;

  /** The assumed source bytes of values that changes may make without a bound. */
  static final String UNBOUNDED = "1000000000000000";

  private static final String REPEATED = "strlen(a::VARCHAR)::HUGEINT * b";

  private static final String REPLACED =
      "strlen(a) + (strlen(a) - strlen(system.main.replace(a, b, '')))"
          + " // nullif(strlen(b), 0) * strlen(c)::HUGEINT";

  /** A query that the functions of an earlier program refuse, which a database may still have. */
  private static final String ONCE_REFUSED =
      "SELECT repeat('x', " + (ValueRoom.CHANGE_BYTES_MAX + 1) + ")";

  private ValueBounds() {}

  /** Creates the functions in a database that is new or has them already. */
  static void make(Statement statement) throws SQLException {
    String create =
        isOutdated(statement) ? "CREATE OR REPLACE MACRO " : "CREATE MACRO IF NOT EXISTS ";
    for (String macro : macros()) {
      statement.execute(create + macro);
    }
  }

  private static boolean isOutdated(Statement statement) {
    try (Statement asking = statement.getConnection().createStatement();
        ResultSet found = asking.executeQuery(ONCE_REFUSED)) {
      return !found.next();
    } catch (SQLException e) {
      return true;
    }
  }

  private static List<String> macros() {
    return List.of(
        "repeat(a, b) AS system.main.repeat(a, "
            + asking(REPEATED, "strlen(a::VARCHAR)", "b + %s", "b")
            + ")",
        padded("lpad"),
        padded("rpad"),
        // Replacements are counted only if there could be many.
        "replace(a, b, c) AS system.main.replace(a, b, CASE WHEN strlen(a)::HUGEINT * strlen(c) > "
            + SMALL_BYTES
            + " THEN "
            + asking(REPLACED, "strlen(a)", "left(c, 1000000000 + %s)", "c")
            + " ELSE c END)",
        "list_resize" + resized("list_resize"),
        "array_resize" + resized("array_resize"),
        "range" + counted("range"),
        "generate_series" + counted("generate_series"));
  }

  /**
   * Returns an expression that asks for room first if its value is large.
   *
   * @param bytes the bytes of the value
   * @param of the bytes of the values that it is made from
   * @param large the expression with {@code %s} in the place of the request, which returns 0
   * @param small the expression without the request
   */
  static String asking(String bytes, String of, String large, String small) {
    String question =
        "system.main.%s(CASE WHEN %s > %s THEN %s ELSE %s END::BIGINT, (%s)::BIGINT)"
            .formatted(ValueRoom.FUNCTION, bytes, UNBOUNDED, UNBOUNDED, bytes, of);
    return "CASE WHEN %s > %d THEN %s ELSE %s END"
        .formatted(bytes, SMALL_BYTES, large.formatted(question), small);
  }

  private static String padded(String name) {
    String bytes = "b::HUGEINT * " + CHARACTER_BYTES_MAX;
    return "%s(a, b, c) AS system.main.%s(a, %s, c)"
        .formatted(name, name, asking(bytes, "0", "b + %s", "b"));
  }

  private static String resized(String name) {
    return "(a, b) AS "
        + ofElements("b", name + "(a, b)")
        + ", (a, b, c) AS "
        + ofElements("b", name + "(a, b, c)");
  }

  private static String ofElements(String count, String call) {
    String original = "system.main." + call;
    return asking(
        "(" + count + ")::HUGEINT * " + ELEMENT_BYTES,
        String.valueOf(LIST_BYTES),
        "CASE WHEN %s = 0 THEN " + original + " END",
        original);
  }

  /**
   * Returns the condition that a series of numbers, or of moments with an interval, is too long.
   * The form that does not apply gives null, which counts as false.
   */
  private static String counted(String name) {
    String numbers =
        "abs(%s - %s) // abs(nullif(%s, 0))".formatted(number("b"), number("a"), number("c"));
    String moments =
        "abs(%s - %s) // abs(nullif(epoch_us(try_cast(c::VARCHAR AS INTERVAL)), 0))"
            .formatted(moment("b"), moment("a"));
    return "(a) AS "
        + ofElements(number("a"), name + "(a)")
        + ", (a, b) AS "
        + ofElements(number("b") + " - " + number("a"), name + "(a, b)")
        + ", (a, b, c) AS "
        + ofElements("coalesce(" + numbers + ", " + moments + ")", name + "(a, b, c)");
  }

  private static String number(String of) {
    return "try_cast(" + of + "::VARCHAR AS HUGEINT)";
  }

  private static String moment(String of) {
    return "epoch_us(try_cast(" + of + "::VARCHAR AS TIMESTAMP))";
  }
}
