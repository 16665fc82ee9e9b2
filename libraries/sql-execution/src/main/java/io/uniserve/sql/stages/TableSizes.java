package io.uniserve.sql.stages;

import io.uniserve.api.form.Name;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.syntax.SqlTable;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The estimated sizes of SQL tables.
 *
 * @param of the sizes by the tables' stored names
 */
@Name("TableSizes")
public record TableSizes(Map<String, TableSize> of) {
  /** The sizes of no table. */
  public static final TableSizes NONE = new TableSizes(Map.of());

  /** Copies the map. */
  public TableSizes {
    of = Map.copyOf(of);
  }

  /** Returns the sizes of two actors together, without tables that are not in the schema. */
  public TableSizes plus(TableSizes other, WarehouseSchema schema) {
    Map<String, TableSize> sums = new LinkedHashMap<>(of);
    for (SqlTable table : schema.tables().values()) {
      TableSize size = other.of.get(table.stored());
      if (size != null) {
        sums.merge(table.stored(), size, (a, b) -> a.plus(b, table));
      }
    }
    return new TableSizes(sums);
  }
}
