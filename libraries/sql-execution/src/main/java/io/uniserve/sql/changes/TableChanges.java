package io.uniserve.sql.changes;

import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.ArrowTable;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.backend.WarehouseSchema.Building;
import io.uniserve.sql.planner.ActorSql;
import io.uniserve.sql.planner.PartitionKind;
import io.uniserve.sql.stages.QueryBlocks;
import io.uniserve.sql.stages.SqlQuery;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.TableStatement;
import io.uniserve.sql.syntax.TableStatement.Spread;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The statements that create and drop tables. The stored name of a table contains the revision of
 * the schema that first has it, so no two tables ever share one. A table that is created from a
 * query gets its rows before statements can name it, and then its name at once with all rows.
 */
public final class TableChanges {
  /**
   * The age after which a table that is being built is abandoned. A statement takes 10 minutes at
   * most.
   */
  private static final Duration BUILDING_MAX = Duration.ofHours(1);

  private TableChanges() {}

  /**
   * Plans a statement, which answers with the number of stored rows.
   *
   * @throws UniserveException naming the wrong part and its place
   */
  static Plan<Long> plan(TableDefinition warehouse, ActorSql actorSql, String sql) {
    TableStatement statement = checked(warehouse, sql);
    return switch (statement) {
      case TableStatement.Create create ->
          redefine(warehouse, now -> created(now, create, table(create))).then(done -> none());
      case TableStatement.CreateAs create -> createAs(warehouse, actorSql, create);
      case TableStatement.Drop drop ->
          redefine(warehouse, now -> dropped(now, drop)).then(done -> none());
    };
  }

  /**
   * Checks a statement as far as possible without carrying it out.
   *
   * @throws UniserveException as {@link #plan} does
   */
  static void check(TableDefinition warehouse, String sql) {
    TableStatement statement = checked(warehouse, sql);
    if (statement instanceof TableStatement.Create create) {
      table(create);
    } else if (statement instanceof TableStatement.CreateAs create) {
      table(warehouse, ActorSql.DUCKDB, create);
    }
  }

  /**
   * Makes the plan that creates a table for rows of Arrow, with the default partitioning. It
   * answers with the warehouse that has the table.
   *
   * @throws UniserveException naming a column that no table can have
   */
  public static Plan<TableDefinition> create(
      TableDefinition warehouse, String name, Schema columns) {
    TableStatement.Create create = ofRows(name, columns);
    SqlTable table = table(create);
    return redefine(warehouse, now -> created(now, create, table));
  }

  private static TableStatement.Create ofRows(String name, Schema columns) {
    return new TableStatement.Create(
        Optional.empty(),
        name,
        true,
        ArrowTable.columns(columns),
        List.of(),
        new Spread(false, List.of()));
  }

  /**
   * Makes the plan that creates a table for rows of Arrow, as {@link #create} does. Statements
   * cannot name the table yet. Once it has its rows, it becomes visible and may replace another
   * one.
   *
   * @throws UniserveException naming a column that no table can have
   */
  public static Plan<Replacement> replacement(
      TableDefinition warehouse, String name, Schema columns) {
    SqlTable table = table(ofRows(name, columns));
    String id = UUID.randomUUID().toString();
    return redefine(warehouse, now -> hidden(now, id, table))
        .then(begun -> new Plan.Known<>(new Replacement(begun, id)));
  }

  private static TableStatement checked(TableDefinition warehouse, String sql) {
    TableStatement statement = TableStatement.of(sql);
    if (statement.qualifier().filter(name -> !name.equals(warehouse.name())).isPresent()) {
      throw UniserveException.invalid(
          "SQL: '%s.%s' is not in the warehouse of this request"
              .formatted(statement.qualifier().get(), statement.name()));
    }
    return statement;
  }

  private static Plan<Long> none() {
    return new Plan.Known<>(0L);
  }

  /** A change of the present schema. */
  interface Changing {
    Optional<Plan.Redefine.Change> change(TableDefinition now);
  }

  static Plan<TableDefinition> redefine(TableDefinition warehouse, Changing changing) {
    return new Plan.Redefine(warehouse.name(), changing::change);
  }

  private static Optional<Plan.Redefine.Change> created(
      TableDefinition now, TableStatement.Create create, SqlTable table) {
    WarehouseSchema schema = WarehouseSchema.of(now);
    if (exists(schema, create.name(), create.unlessExists())) {
      return Optional.empty();
    }
    Map<String, SqlTable> tables = new LinkedHashMap<>(schema.tables());
    tables.put(create.name(), stored(schema, table));
    return changed(now, now, next(schema, tables, schema.building()));
  }

  private static boolean exists(WarehouseSchema schema, String name, boolean asGood) {
    boolean exists = schema.tables().containsKey(name);
    if (exists && !asGood) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS, "SQL: there is a table '" + name + "' already");
    }
    return exists;
  }

  private static SqlTable stored(WarehouseSchema schema, SqlTable table) {
    return new SqlTable(
        table.name(),
        table.name() + "#" + (schema.revision() + 1),
        table.columns(),
        table.partitionBy(),
        table.primaryKey());
  }

  private static Optional<Plan.Redefine.Change> dropped(
      TableDefinition now, TableStatement.Drop drop) {
    WarehouseSchema schema = WarehouseSchema.of(now);
    Map<String, SqlTable> tables = new LinkedHashMap<>(schema.tables());
    if (tables.remove(drop.name()) != null) {
      WarehouseSchema after = next(schema, tables, schema.building());
      // No new plan uses the table before the first actor drops it.
      WarehouseSchema meanwhile = new WarehouseSchema(schema.revision(), tables, schema.building());
      return changed(now, now.withSchema(meanwhile.document()), after);
    }
    if (!drop.ifExists()) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "SQL: there is no table '" + drop.name() + "'");
    }
    return Optional.empty();
  }

  /** Returns the next schema, without abandoned tables. */
  static WarehouseSchema next(
      WarehouseSchema before, Map<String, SqlTable> tables, Map<String, Building> building) {
    long since = System.currentTimeMillis() - BUILDING_MAX.toMillis();
    Map<String, Building> recent = new LinkedHashMap<>(building);
    recent.values().removeIf(each -> each.sinceMillis() < since);
    return new WarehouseSchema(before.revision() + 1, tables, recent);
  }

  static Optional<Plan.Redefine.Change> changed(
      TableDefinition now, TableDefinition meanwhile, WarehouseSchema after) {
    return Optional.of(new Plan.Redefine.Change(meanwhile, now.withSchema(after.document())));
  }

  private static SqlTable table(TableStatement.Create create) {
    return table(create.name(), create.columns(), create.primaryKey(), create.spread());
  }

  private static SqlTable table(
      String name, List<SqlColumn> columns, List<String> primaryKey, Spread spread) {
    WarehouseSchema.checked(new SqlTable(name, name, columns, List.of(), primaryKey));
    List<String> partitionBy =
        spread.replicated() || !spread.partitionBy().isEmpty()
            ? spread.partitionBy()
            : partitionBy(name, columns, primaryKey);
    return WarehouseSchema.checked(new SqlTable(name, name, columns, partitionBy, primaryKey));
  }

  /**
   * Returns the default partition columns: the primary key, or the first column that is allowed.
   */
  private static List<String> partitionBy(
      String name, List<SqlColumn> columns, List<String> primaryKey) {
    List<String> possible =
        columns.stream()
            .filter(column -> primaryKey.isEmpty() || primaryKey.contains(column.name()))
            .filter(column -> PartitionKind.of(column.type()) != PartitionKind.OTHER)
            .map(SqlColumn::name)
            .toList();
    if (possible.isEmpty()) {
      throw UniserveException.invalid(
          "SQL: table '"
              + name
              + "' has no column that rows can be spread by, a whole number, text or date"
              + (primaryKey.isEmpty() ? "" : " of its key")
              + "; REPLICATED keeps all rows everywhere");
    }
    return primaryKey.isEmpty() ? List.of(possible.getFirst()) : possible;
  }

  private static SqlTable table(
      TableDefinition warehouse, ActorSql actorSql, TableStatement.CreateAs create) {
    SqlQuery query = SqlQuery.of(warehouse, actorSql, create.query(), List.of());
    if (query.isExplain()) {
      throw UniserveException.invalid("SQL: AS needs a query, not EXPLAIN");
    }
    List<SqlColumn> columns = ArrowTable.columns(query.columns());
    return table(create.name(), columns, List.of(), create.spread());
  }

  private static Plan<Long> createAs(
      TableDefinition warehouse, ActorSql actorSql, TableStatement.CreateAs create) {
    SqlTable table = table(warehouse, actorSql, create);
    SqlQuery query = SqlQuery.of(warehouse, actorSql, create.query(), List.of());
    String id = UUID.randomUUID().toString();
    return redefine(warehouse, now -> begun(now, id, create, table))
        .then(
            begun -> {
              Building building = WarehouseSchema.of(begun).building().get(id);
              return building == null // an existing table of this name is accepted
                  ? none()
                  : new TableFill(begun, new QueryBlocks(query), building.table())
                      .plan()
                      .then(rows -> published(begun, id, create.unlessExists(), rows));
            });
  }

  private static Optional<Plan.Redefine.Change> begun(
      TableDefinition now, String id, TableStatement.CreateAs create, SqlTable table) {
    WarehouseSchema schema = WarehouseSchema.of(now);
    if (exists(schema, create.name(), create.unlessExists())) {
      return Optional.empty();
    }
    return hidden(now, id, table);
  }

  private static Optional<Plan.Redefine.Change> hidden(
      TableDefinition now, String id, SqlTable table) {
    WarehouseSchema schema = WarehouseSchema.of(now);
    Map<String, Building> building = new LinkedHashMap<>(schema.building());
    building.put(id, new Building(stored(schema, table), System.currentTimeMillis()));
    return changed(now, now, next(schema, schema.tables(), building));
  }

  /**
   * Makes the plan that publishes the table. If another table has the name by now, it drops the
   * rows, as if the statement had come later.
   */
  private static Plan<Long> published(TableDefinition begun, String id, boolean asGood, long rows) {
    SqlTable table = WarehouseSchema.of(begun).building().get(id).table();
    return redefine(
            begun,
            now -> {
              WarehouseSchema schema = WarehouseSchema.of(now);
              Map<String, Building> building = new LinkedHashMap<>(schema.building());
              if (building.remove(id) == null) {
                return Optional.empty();
              }
              Map<String, SqlTable> tables = new LinkedHashMap<>(schema.tables());
              tables.putIfAbsent(table.name(), table);
              return changed(now, now, next(schema, tables, building));
            })
        .then(now -> new Plan.Known<>(rows(WarehouseSchema.of(now), table, asGood, rows)));
  }

  private static long rows(WarehouseSchema now, SqlTable table, boolean asGood, long rows) {
    SqlTable named = now.tables().get(table.name());
    if (named == null) {
      throw new UniserveException(
          ErrorCode.DEADLINE_EXCEEDED,
          "SQL: the rows of table '" + table.name() + "' took longer than " + BUILDING_MAX);
    }
    boolean own = named.stored().equals(table.stored());
    return !own && exists(now, table.name(), asGood) ? 0 : rows;
  }
}
