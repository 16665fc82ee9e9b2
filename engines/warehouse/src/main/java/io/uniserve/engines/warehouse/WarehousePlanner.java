package io.uniserve.engines.warehouse;

import io.uniserve.api.PartitionedRecord;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.RejectedRowException;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.api.UpdateFunction;
import io.uniserve.sqlplanner.ActorSql;
import io.uniserve.sqlsyntax.SqlColumn;
import io.uniserve.sqlsyntax.SqlTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Makes plans of SQL, and records of rows. */
public final class WarehousePlanner implements Planner {
  /** The field of a row that says which SQL table it belongs to, if the warehouse has several. */
  public static final String TABLE = "@table";

  private final ActorSql actorSql;

  /** A planner for actors in DuckDB. */
  public WarehousePlanner() {
    this(ActorSql.DUCKDB);
  }

  /** A planner for actors whose databases take some SQL. */
  public WarehousePlanner(ActorSql actorSql) {
    this.actorSql = actorSql;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The query is SQL over the tables of this warehouse, or {@code EXPLAIN} or {@code EXPLAIN
   * ANALYZE} and SQL, or {@code INSERT}, {@code UPDATE}, {@code DELETE}, {@code CREATE TABLE} or
   * {@code DROP TABLE}. The answer is {@code {"columns": [{"name", "type"}], "rows": [[VALUE]]}};
   * decimals, dates and timestamps are texts. No options.
   */
  @Override
  public Plan<?> plan(TableDefinition table, String query, Map<String, String> options) {
    if (!options.isEmpty()) {
      throw UniserveException.invalid("SQL has no options, not " + options.keySet());
    }
    if (RowChanges.isChange(query)) {
      return RowChanges.plan(table, actorSql, query, List.of(List.of()))
          .then(rows -> new Plan.Known<>(changed(rows)));
    }
    SqlQuery sql = SqlQuery.of(table, actorSql, query, List.of());
    return sql.isExplain()
        ? sql.explained(WarehousePlanner::document)
        : sql.plan(ClientStage::answer);
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
  public List<PartitionedRecord> records(
      TableDefinition definition, List<Map<String, Object>> rows) {
    WarehouseSchema schema = WarehouseSchema.of(definition);
    return records(rows, fields -> table(schema, fields.remove(TABLE)));
  }

  /** Rows as records of the tables that are told of each. */
  static List<PartitionedRecord> records(
      List<Map<String, Object>> rows, Function<Map<String, Object>, SqlTable> tableOf) {
    List<PartitionedRecord> records = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      Map<String, Object> fields = new LinkedHashMap<>(rows.get(i));
      try {
        SqlTable table = tableOf.apply(fields);
        List<Object> values = values(table, fields);
        records.add(
            table.replicated()
                ? new CopiedRow(table.stored(), values)
                : new Row(Spreading.key(table, values), table.stored(), values));
      } catch (UniserveException e) {
        throw new RejectedRowException(i, e.getMessage());
      }
    }
    return records;
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

  private static List<Object> values(SqlTable table, Map<String, Object> fields) {
    List<Object> values = new ArrayList<>();
    for (SqlColumn column : table.columns()) {
      values.add(Value.of(column, fields.remove(column.name())));
    }
    if (!fields.isEmpty()) {
      throw UniserveException.invalid(
          "table '" + table.name() + "' has no column '" + fields.keySet().iterator().next() + "'");
    }
    return values;
  }

  @Override
  public UpdateFunction<?, ?> load(TableDefinition table) {
    return new PutRows();
  }
}
