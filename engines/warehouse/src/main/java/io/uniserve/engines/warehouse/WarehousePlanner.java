package io.uniserve.engines.warehouse;

import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.ScanRequest;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.changes.PutRows;
import io.uniserve.sql.changes.RowChanges;
import io.uniserve.sql.changes.RowRecords;
import io.uniserve.sql.planner.ActorSql;
import io.uniserve.sql.planner.PartitionKind;
import io.uniserve.sql.stages.SqlQuery;
import io.uniserve.sql.stages.TableScan;
import io.uniserve.sql.syntax.SqlTable;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The planner of SQL, which also makes records from rows. */
public final class WarehousePlanner implements Planner {
  /** The field of a row that names its SQL table, if the warehouse has several. */
  public static final String TABLE = "@table";

  private final ActorSql actorSql;

  /** Makes a planner for actors in DuckDB. */
  public WarehousePlanner() {
    this(ActorSql.DUCKDB);
  }

  /** Makes a planner for actors with any SQL. */
  public WarehousePlanner(ActorSql actorSql) {
    this.actorSql = actorSql;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The query is SQL over the tables of this warehouse, or {@code EXPLAIN} or {@code EXPLAIN
   * ANALYZE} and SQL, or {@code INSERT}, {@code UPDATE}, {@code DELETE}, {@code CREATE TABLE} or
   * {@code DROP TABLE}. The answer is {@code {"columns": [{"name", "type"}], "rows": [[VALUE]]}};
   * decimals, dates and timestamps are texts. No options but {@link Planner#IDEMPOTENCY_KEY}.
   */
  @Override
  public Plan<?> plan(TableDefinition table, String query, Map<String, String> options) {
    Map<String, String> others = new TreeMap<>(options);
    others.remove(IDEMPOTENCY_KEY); // the runtime takes care of it
    if (!others.isEmpty()) {
      throw UniserveException.invalid("SQL has no options, not " + others.keySet());
    }
    if (RowChanges.isChange(query)) {
      return RowChanges.plan(table, actorSql, query, List.of(List.of()))
          .then(rows -> new Plan.Known<>(changed(rows)));
    }
    SqlQuery sql = SqlQuery.of(table, actorSql, query, List.of());
    return sql.isExplain() ? sql.explained(WarehousePlanner::document) : sql.answer();
  }

  /**
   * {@inheritDoc}
   *
   * <p>All tables must be partitioned by one column of the same kind: whole numbers, texts or days.
   */
  @Override
  public PartitionKey key(TableDefinition table, String text) {
    Set<PartitionKind> kinds = EnumSet.noneOf(PartitionKind.class);
    for (SqlTable each : WarehouseSchema.of(table).tables().values()) {
      if (!each.replicated()) {
        kinds.add(
            each.partitionBy().size() == 1
                ? PartitionKind.of(
                    each.columns().get(each.indexOf(each.partitionBy().getFirst())).type())
                : PartitionKind.OTHER);
      }
    }
    if (kinds.size() != 1 || kinds.contains(PartitionKind.OTHER)) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "warehouse '"
              + table.name()
              + "' cannot be cut at keys, since its tables are not all partitioned by one column of"
              + " whole numbers, of texts or of days");
    }
    try {
      return switch (kinds.iterator().next()) {
        case WHOLE -> PartitionKey.of(Long.parseLong(text));
        case DAY -> PartitionKey.of(LocalDate.parse(text).toEpochDay());
        case TEXT, OTHER -> PartitionKey.of(text);
      };
    } catch (NumberFormatException | DateTimeParseException e) {
      throw UniserveException.invalid(
          "warehouse '" + table.name() + "' has no key '" + Excerpt.of(text) + "'");
    }
  }

  /**
   * {@inheritDoc}
   *
   * <p>The request's part is a SQL table. Its key is the first column of the primary key, or of the
   * columns that decide where a row is, if there is none. The condition is one that could follow
   * WHERE.
   */
  @Override
  public ScanPlan scan(TableDefinition table, ScanRequest request) {
    if (actorSql != ActorSql.DUCKDB) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "tables of engine '" + table.engine() + "' cannot be scanned");
    }
    return TableScan.plan(table, actorSql, request);
  }

  private static Map<String, Object> changed(long rows) {
    return document("changed", "BIGINT", List.of(List.of(rows)));
  }

  private static Map<String, Object> document(List<String> lines) {
    return document(SqlQuery.PLAN, "VARCHAR", lines.stream().map(List::of).toList());
  }

  private static Map<String, Object> document(String column, String type, List<?> rows) {
    return Map.of("columns", List.of(Map.of("name", column, "type", type)), "rows", rows);
  }

  @Override
  public boolean isChange(String query) {
    return RowChanges.isChange(query);
  }

  @Override
  public List<PartitionedRecord> records(
      TableDefinition definition, List<Map<String, Object>> rows) {
    WarehouseSchema schema = WarehouseSchema.of(definition);
    return RowRecords.of(rows, fields -> table(schema, fields.remove(TABLE)));
  }

  private static SqlTable table(WarehouseSchema schema, Object name) {
    if (name == null && schema.tables().size() == 1) {
      return schema.tables().values().iterator().next();
    }
    if (name instanceof String text) {
      return schema.table(text);
    }
    throw UniserveException.invalid(
        "a row needs '" + TABLE + "', one of " + schema.tables().keySet() + ", not " + name);
  }

  @Override
  public UpdateFunction<?, ?> load(TableDefinition table) {
    return new PutRows();
  }
}
