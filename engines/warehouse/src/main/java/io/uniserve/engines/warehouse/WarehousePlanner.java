package io.uniserve.engines.warehouse;

import io.uniserve.api.PartitionKey;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.RejectedRowException;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.api.UpdateFunction;
import io.uniserve.sqlplanner.Catalog;
import io.uniserve.sqlplanner.DistributedQuery;
import io.uniserve.sqlplanner.SqlColumn;
import io.uniserve.sqlplanner.SqlPlanner;
import io.uniserve.sqlplanner.SqlTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes plans of SQL, and records of rows. */
public final class WarehousePlanner implements Planner {
  /** The field of a row that says which SQL table it belongs to, if the warehouse has several. */
  public static final String TABLE = "@table";

  private static final Pattern EXPLAIN = Pattern.compile("(?i)\\s*explain\\s+(analyze\\s+)?");

  /** One stage in the actors and one at the client: how many rows there are changes nothing. */
  private static final int STAGES_WITHOUT_CHOICE = 2;

  private static final int SQL_CHARS_MAX = 200_000;

  /**
   * {@inheritDoc}
   *
   * <p>The query is SQL over the tables of this warehouse, or {@code EXPLAIN} or {@code EXPLAIN
   * ANALYZE} and SQL. The answer is {@code {"columns": [{"name", "type"}], "rows": [[VALUE]]}};
   * decimals, dates and timestamps are texts. No options.
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
    List<SqlTable> tables = List.copyOf(WarehouseSchema.of(table).tables().values());
    Matcher explain = EXPLAIN.matcher(query);
    String asked = explain.lookingAt() ? query.substring(explain.end()) : query;
    DistributedQuery small = SqlPlanner.plan(new Catalog(tables, Map.of(), table.actors()), asked);
    Function<DistributedQuery, Plan<Map<String, Object>>> next =
        plan -> {
          if (asked.length() == query.length()) {
            return new StagePlan(table, plan).plan();
          }
          return explain.group(1) == null
              ? new Plan.Known<>(StagePlan.explained(plan, Map.of()))
              : new StagePlan(table, plan).analysis();
        };
    return small.stages().size() <= STAGES_WITHOUT_CHOICE
        ? next.apply(small)
        : AskSizes.of(table)
            .then(
                sizes ->
                    next.apply(
                        SqlPlanner.plan(
                            new Catalog(tables, sizes.of(), table.actors()), asked)));
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
