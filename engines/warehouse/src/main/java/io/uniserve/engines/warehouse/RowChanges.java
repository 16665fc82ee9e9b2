package io.uniserve.engines.warehouse;

import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlplanner.Catalog;
import io.uniserve.sqlplanner.SqlChange;
import io.uniserve.sqlplanner.SqlPlanner;
import io.uniserve.sqlplanner.SqlType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BinaryOperator;
import java.util.regex.Pattern;
import org.apache.arrow.vector.types.pojo.Schema;

/** Statements that change rows: INSERT, UPDATE and DELETE. */
public final class RowChanges {
  private static final Pattern CHANGE = Pattern.compile("(?i)\\s*(insert|update|delete)\\b");

  private static final int ROWS_MAX = 1_000;

  private RowChanges() {}

  /** Whether a statement changes rows, or is wrong. */
  public static boolean isChange(String sql) {
    return CHANGE.matcher(sql).lookingAt();
  }

  /**
   * Checks a change as far as that goes without carrying it out.
   *
   * @return a field for each of its parameters, as of {@link ArrowQuery.Shape}
   * @throws UniserveException as {@link #plan} does, also if nothing tells the type of a parameter
   */
  public static Schema check(TableDefinition warehouse, String sql) {
    SqlQuery.requireLength(sql);
    Catalog catalog = SqlQuery.catalog(warehouse, Map.of());
    List<SqlType> types = SqlPlanner.parameters(catalog, sql);
    SqlPlanner.change(catalog, sql, List.of(types));
    return ArrowQuery.parameters(types);
  }

  /**
   * How many rows of parameters one plan takes at most.
   *
   * @throws UniserveException if it is no SQL
   */
  public static int rowsMax(String sql) {
    SqlQuery.requireLength(sql);
    return SqlPlanner.takesRows(sql) ? ROWS_MAX : 1;
  }

  /**
   * The plan of a change; it answers how many rows changed.
   *
   * @param rows the values of its parameters, as {@link ArrowQuery#of} takes them, for each time
   *     that it is made: at least one row, if only an empty one, at most {@link #rowsMax}
   * @throws UniserveException naming what is wrong in it and where, or what cannot be planned
   */
  public static Plan<Long> plan(
      TableDefinition warehouse, String sql, List<? extends List<?>> rows) {
    SqlQuery.requireLength(sql);
    return switch (SqlPlanner.change(SqlQuery.catalog(warehouse, Map.of()), sql, rows)) {
      case SqlChange.Insert insert ->
          SqlQuery.weighed(
              warehouse,
              insert,
              catalog -> (SqlChange.Insert) SqlPlanner.change(catalog, sql, rows),
              SqlChange.Insert::rows,
              planned ->
                  new StagePlan<>(warehouse, planned.rows(), ClientStage::answer)
                      .plan()
                      .then(answer -> insert(warehouse, insert, answer)));
      case SqlChange.Rewrite rewrite -> {
        String name = UUID.randomUUID().toString();
        BinaryOperator<Long> both = rewrite.table().replicated() ? Math::max : Long::sum;
        yield new Plan.Update(warehouse.name(), new RewriteRows(name, rewrite.sql()), List.of())
            .then(done -> AskRewritten.of(warehouse.name(), name, both));
      }
    };
  }

  private static Plan<Long> insert(
      TableDefinition warehouse, SqlChange.Insert insert, Map<String, Object> answer) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Object values : (List<?>) answer.get("rows")) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put(WarehousePlanner.TABLE, insert.table().name());
      for (int i = 0; i < insert.columns().size(); i++) {
        row.put(insert.columns().get(i), ((List<?>) values).get(i));
      }
      rows.add(row);
    }
    Plan<Long> told = new Plan.Known<>((long) rows.size());
    WarehousePlanner planner = new WarehousePlanner();
    return rows.isEmpty()
        ? told
        : new Plan.Update(
                warehouse.name(), planner.load(warehouse), planner.records(warehouse, rows))
            .then(done -> told);
  }
}
