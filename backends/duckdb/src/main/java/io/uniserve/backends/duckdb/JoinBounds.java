package io.uniserve.backends.duckdb;

import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.duckdb.DuckDBConnection;

/**
 * Replacements of DuckDB's functions that join values to a longer one. Each computes its arguments
 * once, asks for {@link ValueRoom} unless the result is small, and calls the original. Only a
 * lambda function can name computed values, so the arguments become the one element of a list,
 * which costs time. Queries use the replacements only if the joined values could be long.
 */
final class JoinBounds {
  /** The most arguments of a function with any number of arguments. */
  static final int ARGUMENTS_MAX = 20;

  /** The bytes of a text's entry in a list. */
  private static final int PART_BYTES = 16;

  /** The additional bytes of a join that adds no separators. */
  private static final String NONE = "0";

  /** The expression of the widths in a format: the numbers in it. */
  private static final String WIDTHS =
      "coalesce(list_sum(list_transform(regexp_extract_all(__v[1], '[0-9]+'),"
          + " lambda __w: least(__w::HUGEINT, 1000000000000))), 0)";

  private static final Pattern JOINS =
      Pattern.compile(
          "(?i)\\|\\||\\b(concat|concat_ws|format|printf|string_split|str_split|split"
              + "|string_to_array|split_part)\\b");

  /** The pattern of functions that make long values from short ones, or from many. */
  private static final Pattern GROWS =
      Pattern.compile(
          "(?i)\\b(repeat|lpad|rpad|replace|regexp_replace|range|generate_series|list_resize"
              + "|array_resize|string_agg|group_concat|listagg|array_agg|list|lambda|recursive"
              + "|format|printf)\\b|->");

  private static final Pattern SELECT = Pattern.compile("(?i)\\bselect\\b");

  /** The longest written text, in characters, that is joined like texts of tables. */
  private static final int TEXT_CHARS_MAX = 1024;

  /** The greatest number of copies of a value in a joined one that need no request for room. */
  private static final int GROWTH_MAX = 16;

  private JoinBounds() {}

  /** Makes the functions that a query needs, on the connection that will prepare it. */
  static void make(DuckDBConnection connection, String sql) throws SQLException {
    Set<String> joins = new TreeSet<>();
    if (!isNeeded(sql, joins)) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      for (String name : joins) {
        statement.execute("CREATE OR REPLACE TEMP MACRO " + macro(name));
      }
    }
  }

  /**
   * Returns whether the joined values of a query could be long. A query joins each value as often
   * as it is written; nested queries multiply these numbers.
   *
   * @param joins takes the functions that it joins with
   */
  private static boolean isNeeded(String sql, Set<String> joins) {
    long count =
        JOINS.matcher(sql).results().peek(found -> joins.add(lower(found.group()))).count();
    if (count == 0) {
      return false;
    }
    boolean isNested = SELECT.matcher(sql).results().limit(2).count() == 2;
    return count > (isNested ? GROWTH_MAX / 4 : GROWTH_MAX)
        || GROWS.matcher(sql).find()
        || ValueRoom.longestText(sql) > TEXT_CHARS_MAX;
  }

  private static String lower(String name) {
    return name.toLowerCase(Locale.ROOT);
  }

  private static String macro(String name) {
    return switch (name) {
      case "||" -> "\"||\"" + joined("\"||\"", 2, NONE);
      case "concat" -> name + upTo(name, 1, NONE);
      // The first argument stands between the others.
      case "concat_ws" -> name + upTo(name, 2, "coalesce(strlen(__v[1]::VARCHAR), 0) * %d");
      case "format", "printf" -> name + upTo(name, 1, WIDTHS + " * %d");
      case "split_part" -> split("string_split"); // DuckDB makes it of that
      default -> split(name);
    };
  }

  private static String upTo(String name, int least, String more) {
    return IntStream.rangeClosed(least, ARGUMENTS_MAX)
        .mapToObj(arguments -> joined(name, arguments, more.formatted(arguments)))
        .collect(Collectors.joining(", "));
  }

  private static String joined(String name, int arguments, String more) {
    String bytes =
        each(arguments, "coalesce(strlen(__v[%d]::VARCHAR), 0)", " + ") + "::HUGEINT + " + more;
    String original = "system.main." + name + "(" + each(arguments, "__v[%d]", ", ") + ")";
    String names = each(arguments, "a%d", ", ");
    return "(%s) AS list_transform([row(%s)], lambda __v: %s)[1]"
        .formatted(names, names, asking(bytes, original));
  }

  private static String each(int arguments, String form, String between) {
    return IntStream.rangeClosed(1, arguments)
        .mapToObj(form::formatted)
        .collect(Collectors.joining(between));
  }

  /** Each part has a place in a list. */
  private static String split(String name) {
    String parts =
        "(strlen(__v[1]) - coalesce(strlen(system.main.replace(__v[1], nullif(__v[2], ''), '')), 0))"
            + " // greatest(1, strlen(__v[2])) + 1";
    return "%s(a, b) AS list_transform([row(a, b)], lambda __v: %s)[1]"
        .formatted(
            name,
            asking(
                "strlen(__v[1])::HUGEINT + " + PART_BYTES + " * (" + parts + ")",
                "system.main." + name + "(__v[1], __v[2])"));
  }

  private static String asking(String bytes, String original) {
    return ValueBounds.asking(
        bytes, ValueBounds.UNBOUNDED, "CASE WHEN %s = 0 THEN " + original + " END", original);
  }
}
