package io.uniserve.sql.changes;

import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
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
import java.util.function.BinaryOperator;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The statements that change rows or whole tables: INSERT, UPDATE, DELETE, CREATE and DROP TABLE.
 */
public final class RowChanges {
  private static final int ROWS_MAX = 1_000;

  private RowChanges() {}

  /** Returns whether a statement is a change, or is wrong. */
  public static boolean isChange(String sql) {
    return SqlQuery.isChange(sql);
  }

  /**
   * Checks a change as far as possible without carrying it out.
   *
   * @return a field for each of its parameters, as in {@link ArrowQuery.Shape}
   * @throws UniserveException as {@link #plan} does, also if nothing determines the type of a
   *     parameter
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
   * Returns the greatest number of rows of parameters for one plan.
   *
   * @throws UniserveException if the text is no SQL
   */
  public static int rowsMax(String sql) {
    SqlQuery.requireLength(sql);
    return !TableStatement.isOne(sql) && QueryPlans.takesRows(sql) ? ROWS_MAX : 1;
  }

  /**
   * Plans a change, which answers with the number of rows that changed or were stored.
   *
   * @param rows the values of its parameters, as {@link ArrowQuery#of} takes them, one row for each
   *     time that the change is made: at least one row, which may be empty, and at most {@link
   *     #rowsMax}
   * @throws UniserveException naming the wrong part and its place, or the part that cannot be
   *     planned
   */
  public static Plan<Long> plan(
      TableDefinition warehouse, String sql, List<? extends List<?>> rows) {
    return plan(warehouse, ActorSql.DUCKDB, sql, rows);
  }

  /**
   * Plans a change as {@link #plan(TableDefinition, String, List)} does, for actors of any backend.
   *
   * @param actorSql the SQL of their databases
   */
  public static Plan<Long> plan(
      TableDefinition warehouse, ActorSql actorSql, String sql, List<? extends List<?>> rows) {
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
        BinaryOperator<Long> both = copies ? Math::max : Long::sum;
        yield new Plan.Update(
                warehouse.name(), new RewriteRows(ChangeName.next(), rewrite.sql()), List.of())
            .then(counts -> new Plan.Known<>(changed(counts, both)));
      }
    };
  }

  /**
   * Returns the number of rows that a statement changed.
   *
   * @param counts the number of each actor
   * @param both combines the numbers of two actors
   */
  private static long changed(List<Object> counts, BinaryOperator<Long> both) {
    return counts.stream()
        .map(Long.class::cast)
        .reduce(both)
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.NOT_FOUND,
                    "the statement was carried out before; how many rows it changed is not known"));
  }

  /** Makes the plan that stores the rows of an answer in a table, and answers with their number. */
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
