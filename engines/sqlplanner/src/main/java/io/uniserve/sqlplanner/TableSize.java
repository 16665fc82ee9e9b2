package io.uniserve.sqlplanner;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * About how much a table holds.
 *
 * @param rows how many rows
 * @param distinct how many different values each column has, by its name, as far as it is known
 */
public record TableSize(long rows, Map<String, Long> distinct) {
  /** Copies the map. */
  public TableSize {
    distinct = Map.copyOf(distinct);
  }

  /**
   * Of two parts of a table. Values that come more than twice in each are taken to be the same in
   * both; those of the one column that the table is spread by are not.
   */
  public TableSize plus(TableSize other, SqlTable table) {
    if (table.replicated()) {
      return rows > other.rows ? this : other;
    }
    Map<String, Long> both = new LinkedHashMap<>(distinct);
    other.distinct.forEach(
        (column, count) ->
            both.merge(
                column,
                count,
                (a, b) ->
                    table.partitionBy().equals(java.util.List.of(column))
                            || 2 * (a + b) > rows + other.rows
                        ? a + b
                        : Math.max(a, b)));
    return new TableSize(rows + other.rows, both);
  }
}
