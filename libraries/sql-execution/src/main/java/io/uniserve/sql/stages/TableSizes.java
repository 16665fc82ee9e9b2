package io.uniserve.sql.stages;

import io.uniserve.api.form.Name;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.syntax.SqlTable;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * About how large SQL tables are.
 *
 * @param of by the names that the tables are stored under
 */
@Name("TableSizes")
public record TableSizes(Map<String, TableSize> of) {
  /** No table. */
  public static final TableSizes NONE = new TableSizes(Map.of());

  /** Copies the map. */
  public TableSizes {
    of = Map.copyOf(of);
  }

  /** Those of two actors together; a table that the schema does not know is none of its. */
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
