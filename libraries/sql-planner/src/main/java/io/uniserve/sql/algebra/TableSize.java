package io.uniserve.sql.algebra;

import io.uniserve.sql.syntax.SqlTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The estimated size of a table.
 *
 * @param rows the number of rows
 * @param distinct the number of distinct values of each column, by its name, where known
 * @param ranges the range of each column's values, by its name, where known
 */
public record TableSize(long rows, Map<String, Long> distinct, Map<String, ColumnRange> ranges) {
  /** Copies the maps. */
  public TableSize {
    distinct = Map.copyOf(distinct);
    ranges = Map.copyOf(ranges);
  }

  /** Makes a size without ranges. */
  public TableSize(long rows, Map<String, Long> distinct) {
    this(rows, distinct, Map.of());
  }

  /**
   * Returns the size of two parts of a table together. If values occur more than twice in each
   * part, both parts are assumed to have the same values, except in the one column that the table
   * is spread by.
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

  /** Returns the ranges of both parts. A column's range is dropped if one part does not know it. */
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
