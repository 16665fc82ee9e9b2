package io.uniserve.sql.changes;

import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.ChangeName;
import io.uniserve.sql.planner.ActorSql;
import io.uniserve.sql.planner.Catalog;
import io.uniserve.sql.planner.SqlChange;
import io.uniserve.sql.stages.ArrowQuery;
import io.uniserve.sql.stages.SqlQuery;
import io.uniserve.sql.stages.StagePlan;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import io.uniserve.sql.syntax.TableStatement;
import io.uniserve.sql.whole.QueryPlans;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.apache.arrow.vector.types.pojo.Schema;

/** Statements that change rows, or whole tables: INSERT, UPDATE, DELETE, CREATE and DROP TABLE. */
public final class RowChanges {
  private static final int ROWS_MAX = 1_000;

  private RowChanges() {}

  /** Whether a statement changes something, or is wrong. */
  public static boolean isChange(String sql) {
    return SqlQuery.isChange(sql);
  }

  /**
   * Checks a change as far as that goes without carrying it out.
   *
   * @return a field for each of its parameters, as of {@link ArrowQuery.Shape}
   * @throws UniserveException as {@link #plan} does, also if nothing tells the type of a parameter
   */
  public static Schema check(TableDefinition warehouse, String sql) {
    SqlQuery.requireLength(sql);
    if (TableStatement.isOne(sql)) {
      TableChanges.check(warehouse, sql);
      return ArrowQuery.parameters(List.of());
    }
    Catalog catalog = SqlQuery.catalog(warehouse, ActorSql.DUCKDB, Map.of());
    List<SqlType> types = QueryPlans.parameters(catalog, sql);
    QueryPlans.change(catalog, sql, List.of(types));
    return ArrowQuery.parameters(types);
  }

  /**
   * How many rows of parameters one plan takes at most.
   *
   * @throws UniserveException if it is no SQL
   */
  public static int rowsMax(String sql) {
    SqlQuery.requireLength(sql);
    return !TableStatement.isOne(sql) && QueryPlans.takesRows(sql) ? ROWS_MAX : 1;
  }

  /**
   * The plan of a change; it answers how many rows changed, or were stored.
   *
   * @param rows the values of its parameters, as {@link ArrowQuery#of} takes them, for each time
   *     that it is made: at least one row, if only an empty one, at most {@link #rowsMax}
   * @param key the idempotency key with which the plan is run: the same again answers the same
   * @throws UniserveException naming what is wrong in it and where, or what cannot be planned
   */
  public static Plan<Long> plan(
      TableDefinition warehouse, String sql, List<? extends List<?>> rows, Optional<String> key) {
    return plan(warehouse, ActorSql.DUCKDB, sql, rows, key);
  }

  /**
   * As {@link #plan(TableDefinition, String, List, Optional)}, for actors of some backend.
   *
   * @param actorSql what their databases take
   */
  public static Plan<Long> plan(
      TableDefinition warehouse,
      ActorSql actorSql,
      String sql,
      List<? extends List<?>> rows,
      Optional<String> key) {
    SqlQuery.requireLength(sql);
    if (TableStatement.isOne(sql)) {
      if (rows.size() != 1 || !rows.getFirst().isEmpty()) {
        throw UniserveException.invalid("SQL: a statement about tables has no parameters");
      }
      return TableChanges.plan(warehouse, actorSql, sql);
    }
    Catalog empty = SqlQuery.catalog(warehouse, actorSql, Map.of());
    return switch (QueryPlans.change(empty, sql, rows)) {
      case SqlChange.Insert insert ->
          SqlQuery.weighed(
              warehouse,
              actorSql,
              insert,
              catalog -> (SqlChange.Insert) QueryPlans.change(catalog, sql, rows),
              SqlChange.Insert::rows,
              planned ->
                  StagePlan.answer(warehouse, planned.rows())
                      .then(answer -> stored(warehouse, insert.table(), insert.columns(), answer)));
      case SqlChange.Rewrite rewrite -> {
        boolean copies = rewrite.table().replicated();
        String name =
            key.map(given -> ChangeName.keyed(copies, given))
                .orElseGet(() -> ChangeName.next(copies));
        BinaryOperator<Long> both = copies ? Math::max : Long::sum;
        yield new Plan.Update(warehouse.name(), new RewriteRows(name, rewrite.sql()), List.of())
            .then(done -> AskRewritten.of(warehouse.name(), name, both));
      }
    };
  }

  /** The plan that stores the rows of an answer in a table; it answers how many. */
  static Plan<Long> stored(
      TableDefinition warehouse, SqlTable table, List<String> columns, Map<String, Object> answer) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Object values : (List<?>) answer.get("rows")) {
      Map<String, Object> row = new LinkedHashMap<>();
      for (int i = 0; i < columns.size(); i++) {
        row.put(columns.get(i), ((List<?>) values).get(i));
      }
      rows.add(row);
    }
    Plan<Long> told = new Plan.Known<>((long) rows.size());
    return rows.isEmpty()
        ? told
        : new Plan.Update(warehouse.name(), new PutRows(), RowRecords.of(rows, row -> table))
            .then(done -> told);
  }
}
