package io.uniserve.sql.changes;

import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.backend.WarehouseSchema.Building;
import io.uniserve.sql.syntax.SqlTable;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A new table that replaces another one, with all its rows at once. Until then statements cannot
 * name it. If the replacement fails, the other table stays as it was. A table that is neither
 * published nor dropped is removed by a later change of the schema.
 *
 * @param warehouse the warehouse of the table
 * @param id the table's id among those that are being built
 */
public record Replacement(TableDefinition warehouse, String id) {

  /** Returns the table to fill, under the name of the table that it replaces. */
  public Target target() {
    return new Target(WarehouseSchema.of(warehouse).building().get(id).table());
  }

  /**
   * Makes the plan that gives the table its name. Queries that began before still read the former
   * table of this name, which is dropped afterwards.
   *
   * @throws UniserveException with {@link ErrorCode#DEADLINE_EXCEEDED} if the table was removed
   *     meanwhile
   */
  public Plan<TableDefinition> published() {
    return TableChanges.redefine(
            warehouse,
            now -> {
              WarehouseSchema schema = WarehouseSchema.of(now);
              Map<String, Building> building = new LinkedHashMap<>(schema.building());
              Building own = building.remove(id);
              if (own == null) {
                throw new UniserveException(
                    ErrorCode.DEADLINE_EXCEEDED,
                    "SQL: the rows of table '" + target().table().name() + "' took too long");
              }
              Map<String, SqlTable> tables = new LinkedHashMap<>(schema.tables());
              SqlTable before = tables.put(own.table().name(), own.table());
              if (before != null) {
                building.put(id, new Building(before, System.currentTimeMillis()));
              }
              return TableChanges.changed(now, now, TableChanges.next(schema, tables, building));
            })
        .then(named -> new Replacement(named, id).dropped());
  }

  /**
   * Makes the plan that drops the hidden table of this id: the new one, or the one that it
   * replaced.
   */
  public Plan<TableDefinition> dropped() {
    return TableChanges.redefine(
        warehouse,
        now -> {
          WarehouseSchema schema = WarehouseSchema.of(now);
          Map<String, Building> building = new LinkedHashMap<>(schema.building());
          return building.remove(id) == null
              ? Optional.empty()
              : TableChanges.changed(
                  now, now, TableChanges.next(schema, schema.tables(), building));
        });
  }
}
