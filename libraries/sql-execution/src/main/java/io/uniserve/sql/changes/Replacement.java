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
 * A table that nobody can name before it takes another's place, with all its rows at once. If that
 * does not come to pass, the other stays as it was. What is neither published nor dropped ends by
 * itself with a later change of the schema.
 *
 * @param warehouse that has it
 * @param id of it among those that are being built
 */
public record Replacement(TableDefinition warehouse, String id) {

  /** The table to be filled; its name is that of the one whose place it takes. */
  public Target target() {
    return new Target(WarehouseSchema.of(warehouse).building().get(id).table());
  }

  /**
   * The plan that gives it its name. Queries that began before still read the table that had this
   * name; only then is that dropped.
   *
   * @throws UniserveException with {@link ErrorCode#DEADLINE_EXCEEDED} if it was given up meanwhile
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

  /** The plan that drops what is hidden under its id: itself, or what it has replaced. */
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
