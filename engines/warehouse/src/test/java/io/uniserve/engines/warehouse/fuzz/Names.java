package io.uniserve.engines.warehouse.fuzz;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The names of tables, columns and results of queries, few enough that they coincide. */
final class Names {
  static final Set<String> RESERVED = Set.of("select", "order", "group", "end");

  private static final List<String> TABLES = List.of("t", "u", "v", "order", "c0");
  private static final List<String> COLUMNS =
      List.of("a", "b", "c", "k", "x", "c0", "c1", "id", "t", "select", "group", "n", "s");
  private static final List<String> OUTPUTS =
      List.of(
          "a",
          "b",
          "A",
          "c0",
          "C1",
          "c2",
          "\"#1\"",
          "\"a b\"",
          "\"select\"",
          "x",
          "k",
          "total",
          "\"X\"");
  private static final List<String> ALIASES =
      List.of("a", "b", "t", "u", "p", "q", "X", "c0", "\"#1\"");

  private final Choices choices;

  Names(Choices choices) {
    this.choices = choices;
  }

  /** Different names of tables. */
  List<String> tables(int count) {
    return choices.shuffled(TABLES).subList(0, count);
  }

  /** Different names of columns. */
  List<String> columns(int count) {
    return choices.shuffled(COLUMNS).subList(0, count);
  }

  /** A name for a column of a query's answer that none of these is. */
  String output(Set<String> taken) {
    return fresh(OUTPUTS, taken);
  }

  /** A name for a table of a query that none of these is. */
  String alias(Set<String> taken) {
    return fresh(ALIASES, taken);
  }

  private String fresh(List<String> pool, Set<String> taken) {
    List<String> free = pool.stream().filter(name -> !taken.contains(same(name))).toList();
    return free.isEmpty() ? "n" + taken.size() : choices.oneOf(free);
  }

  /** Returns a text that is equal for names that are the same to SQL. */
  static String same(String name) {
    return name.replace("\"", "").toLowerCase(Locale.ROOT);
  }
}
