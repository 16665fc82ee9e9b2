package io.uniserve.sql.algebra;

import io.uniserve.sql.syntax.SqlTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * About how much a table holds.
 *
 * @param rows how many rows
 * @param distinct how many different values each column has, by its name, as far as it is known
 * @param ranges between what values those of a column lie, by its name, as far as it is known
 */
public record TableSize(long rows, Map<String, Long> distinct, Map<String, ColumnRange> ranges) {
  /** Copies the maps. */
  public TableSize {
    distinct = Map.copyOf(distinct);
    ranges = Map.copyOf(ranges);
  }

  /** Where nothing is known of where values lie. */
  public TableSize(long rows, Map<String, Long> distinct) {
    this(rows, distinct, Map.of());
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
                    table.partitionBy().equals(List.of(column)) || 2 * (a + b) > rows + other.rows
                        ? a + b
                        : Math.max(a, b)));
    return new TableSize(rows + other.rows, both, widened(other));
  }

  /** What is known of a column of which one part knows nothing may not hold for that part. */
  private Map<String, ColumnRange> widened(TableSize other) {
    if (rows == 0 || other.rows == 0) {
      return rows == 0 ? other.ranges : ranges;
    }
    Map<String, ColumnRange> both = new LinkedHashMap<>(ranges);
    both.keySet().retainAll(other.ranges.keySet());
    both.replaceAll((column, range) -> range.plus(other.ranges.get(column)));
    return both;
  }
}
