package io.uniserve.engines.warehouse;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How many rows SQL tables have.
 *
 * @param of by the tables' names
 */
record RowCounts(Map<String, Long> of) {
  /** No table. */
  static final RowCounts NONE = new RowCounts(Map.of());

  /** Copies the map. */
  RowCounts {
    of = Map.copyOf(of);
  }

  RowCounts plus(RowCounts other) {
    Map<String, Long> sums = new LinkedHashMap<>(of);
    other.of.forEach((table, rows) -> sums.merge(table, rows, Long::sum));
    return new RowCounts(sums);
  }
}
