package io.uniserve.sqlplanner;

import java.util.List;
import java.util.Map;

/**
 * The tables that a query may name.
 *
 * @param name with which a query may qualify their names, as in {@code NAME.orders}
 * @param tables each of another name
 * @param rows about how many rows each has, by name; what is missing is guessed
 */
public record Catalog(String name, List<SqlTable> tables, Map<String, Long> rows) {
  private static final long ROWS_GUESS = 1_000;

  /** Copies both. */
  public Catalog {
    tables = List.copyOf(tables);
    rows = Map.copyOf(rows);
  }

  /** About how many rows a table has; at least one. */
  double rowsOf(SqlTable table) {
    return Math.max(1, rows.getOrDefault(table.name(), table.replicated() ? 10 : ROWS_GUESS));
  }
}
