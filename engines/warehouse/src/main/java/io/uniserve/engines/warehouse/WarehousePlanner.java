package io.uniserve.engines.warehouse;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.PartitionKey;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.RejectedRowException;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.api.UpdateFunction;
import io.uniserve.sqlplanner.Catalog;
import io.uniserve.sqlplanner.DistributedQuery;
import io.uniserve.sqlplanner.SqlChange;
import io.uniserve.sqlplanner.SqlColumn;
import io.uniserve.sqlplanner.SqlPlanner;
import io.uniserve.sqlplanner.SqlTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes plans of SQL, and records of rows. */
public final class WarehousePlanner implements Planner {
  /** The field of a row that says which SQL table it belongs to, if the warehouse has several. */
  public static final String TABLE = "@table";

  private static final Pattern EXPLAIN = Pattern.compile("(?i)\\s*explain\\s+(analyze\\s+)?");

  private static final Pattern CHANGE = Pattern.compile("(?i)\\s*(insert|update|delete)\\b");

  /** One stage in the actors and one at the client: how many rows there are changes nothing. */
  private static final int STAGES_WITHOUT_CHOICE = 2;

  private static final int SQL_CHARS_MAX = 200_000;

  /**
   * {@inheritDoc}
   *
   * <p>The query is SQL over the tables of this warehouse, or {@code EXPLAIN} or {@code EXPLAIN
   * ANALYZE} and SQL, or {@code INSERT}, {@code UPDATE} or {@code DELETE}. The answer is {@code
   * {"columns": [{"name", "type"}], "rows": [[VALUE]]}}; decimals, dates and timestamps are texts.
   * No options.
   */
  @Override
  public Plan<?> plan(TableDefinition table, String query, Map<String, String> options) {
    if (!options.isEmpty()) {
      throw UniserveException.invalid("SQL has no options, not " + options.keySet());
    }
    if (query.length() > SQL_CHARS_MAX) {
      throw UniserveException.invalid(
          "SQL: " + query.length() + " characters, at most " + SQL_CHARS_MAX);
    }
    Matcher explain = EXPLAIN.matcher(query);
    String asked = explain.lookingAt() ? query.substring(explain.end()) : query;
    if (CHANGE.matcher(asked).lookingAt()) {
      if (asked.length() < query.length()) {
        throw new UniserveException(ErrorCode.UNSUPPORTED, "SQL: EXPLAIN of what is no query");
      }
      return change(table, query);
    }
    return weighed(
        table,
        catalog -> SqlPlanner.plan(catalog, asked),
        Function.identity(),
        plan -> {
          if (asked.length() == query.length()) {
            return new StagePlan(table, plan).plan();
          }
          return explain.group(1) == null
              ? new Plan.Known<>(StagePlan.explained(plan, Map.of()))
              : new StagePlan(table, plan).analysis();
        });
  }

  /** Plans with the tables' sizes where they can make a difference. */
  private static <T> Plan<Map<String, Object>> weighed(
      TableDefinition table,
      Function<Catalog, T> planning,
      Function<T, DistributedQuery> query,
      Function<T, Plan<Map<String, Object>>> next) {
    List<SqlTable> tables = List.copyOf(WarehouseSchema.of(table).tables().values());
    T small = planning.apply(new Catalog(tables, Map.of(), table.actors()));
    return query.apply(small).stages().size() <= STAGES_WITHOUT_CHOICE
        ? next.apply(small)
        : AskSizes.of(table)
            .then(
                sizes ->
                    next.apply(planning.apply(new Catalog(tables, sizes.of(), table.actors()))));
  }

  private Plan<Map<String, Object>> change(TableDefinition table, String sql) {
    List<SqlTable> tables = List.copyOf(WarehouseSchema.of(table).tables().values());
    return switch (SqlPlanner.change(new Catalog(tables, Map.of(), table.actors()), sql)) {
      case SqlChange.Insert insert ->
          weighed(
              table,
              catalog -> (SqlChange.Insert) SqlPlanner.change(catalog, sql),
              SqlChange.Insert::rows,
              planned ->
                  new StagePlan(table, planned.rows())
                      .plan()
                      .then(answer -> insert(table, insert, answer)));
      case SqlChange.Rewrite rewrite -> {
        String name = UUID.randomUUID().toString();
        BinaryOperator<Long> both = rewrite.table().replicated() ? Math::max : Long::sum;
        yield new Plan.Update(table.name(), new RewriteRows(name, rewrite.sql()), List.of())
            .then(done -> AskRewritten.of(table.name(), name, both))
            .then(rows -> new Plan.Known<>(changed(rows)));
      }
    };
  }

  private Plan<Map<String, Object>> insert(
      TableDefinition table, SqlChange.Insert insert, Map<String, Object> answer) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Object values : (List<?>) answer.get("rows")) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put(TABLE, insert.table().name());
      for (int i = 0; i < insert.columns().size(); i++) {
        row.put(insert.columns().get(i), ((List<?>) values).get(i));
      }
      rows.add(row);
    }
    Plan<Map<String, Object>> told = new Plan.Known<>(changed(rows.size()));
    return rows.isEmpty()
        ? told
        : new Plan.Update(table.name(), load(table), records(table, rows)).then(done -> told);
  }

  private static Map<String, Object> changed(long rows) {
    return Map.of(
        "columns",
        List.of(Map.of("name", "changed", "type", "BIGINT")),
        "rows",
        List.of(List.of(rows)));
  }

  @Override
  public List<Row> records(TableDefinition definition, List<Map<String, Object>> rows) {
    WarehouseSchema schema = WarehouseSchema.of(definition);
    List<PartitionKey> everyActor = new ArrayList<>();
    List<Row> records = new ArrayList<>(rows.size());
    for (int i = 0; i < rows.size(); i++) {
      Map<String, Object> fields = new LinkedHashMap<>(rows.get(i));
      try {
        SqlTable table = table(schema, fields.remove(TABLE));
        List<Object> values = values(table, fields);
        if (!table.replicated()) {
          records.add(new Row(Spreading.key(table, values), table.name(), values));
          continue;
        }
        if (everyActor.isEmpty()) {
          everyActor.addAll(Spreading.everyActor(definition.partitioner()));
        }
        everyActor.forEach(actor -> records.add(new Row(actor, table.name(), values)));
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
