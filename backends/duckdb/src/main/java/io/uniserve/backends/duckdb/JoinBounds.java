package io.uniserve.backends.duckdb;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Functions in the place of those of DuckDB that join values to a longer one. Each computes its
 * arguments once, asks whether there is {@link ValueRoom} for what they amount to unless that is
 * little, and calls the original. Only a function that is given to another can name what was
 * computed: so the arguments are the one element of a list.
 */
final class JoinBounds {
  /** The most arguments of a function that takes as many as one likes. */
  static final int ARGUMENTS_MAX = 20;

  /** Of a text in a list. */
  private static final int PART_BYTES = 16;

  /** Beyond what is joined: what stands between, and what numbers are as texts. */
  private static final String NONE = "0";

  /** What a format says of widths: the numbers in it, and those that it is given. */
  private static final String WIDTHS =
      "coalesce(list_sum(list_transform(regexp_extract_all(__v[1], '[0-9]+'), lambda __w: least(__w::HUGEINT,"
          + " 1000000000000))), 0)";

  private JoinBounds() {}

  /** The macros, as {@code CREATE MACRO} takes them. */
  static List<String> macros() {
    return List.of(
        "\"||\"" + joined("\"||\"", 2, NONE),
        "concat" + upTo("concat", 1, NONE),
        // The first argument stands between the others.
        "concat_ws" + upTo("concat_ws", 2, "coalesce(strlen(__v[1]::VARCHAR), 0) * %d"),
        "format" + upTo("format", 1, WIDTHS + " * %d"),
        "printf" + upTo("printf", 1, WIDTHS + " * %d"),
        split("string_split"),
        split("str_split"),
        split("split"),
        split("string_to_array"));
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
