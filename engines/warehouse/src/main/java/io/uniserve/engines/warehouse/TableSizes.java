package io.uniserve.engines.warehouse;

import io.uniserve.sqlplanner.TableSize;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * About how large SQL tables are.
 *
 * @param of by the tables' names
 */
record TableSizes(Map<String, TableSize> of) {
  /** No table. */
  static final TableSizes NONE = new TableSizes(Map.of());

  /** Copies the map. */
  TableSizes {
    of = Map.copyOf(of);
  }

  TableSizes plus(TableSizes other, WarehouseSchema schema) {
    Map<String, TableSize> sums = new LinkedHashMap<>(of);
    other.of.forEach(
        (name, size) -> sums.merge(name, size, (a, b) -> a.plus(b, schema.table(name))));
    return new TableSizes(sums);
  }
}
