package io.uniserve.engines.warehouse;

import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlplanner.Catalog;
import io.uniserve.sqlplanner.DistributedQuery;
import io.uniserve.sqlplanner.SqlPlanner;
import io.uniserve.sqlplanner.SqlTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A query of a warehouse that was checked and can be planned.
 *
 * @param warehouse that it reads
 * @param sql without EXPLAIN, each character where it was
 * @param isExplain whether the plan is asked for, and not the answer
 * @param values of its parameters
 * @param small its stages, as far as they follow from the query alone
 */
record SqlQuery(
    TableDefinition warehouse,
    String sql,
    boolean isExplain,
    List<?> values,
    DistributedQuery small) {
  /** The one column of what EXPLAIN gives. */
  static final String PLAN = "plan";

  private static final String EXPLAIN = "explain ";

  /** One stage in the actors and one at the client: how many rows there are changes nothing. */
  private static final int STAGES_WITHOUT_CHOICE = 2;

  private static final int SQL_CHARS_MAX = 200_000;

  /**
   * Checks a query.
   *
   * @param values of its parameters, see {@link SqlPlanner#plan}
   * @throws UniserveException naming what is wrong in it and where, or what cannot be planned
   */
  static SqlQuery of(TableDefinition warehouse, String text, List<?> values) {
    requireLength(text);
    String sql = withoutExplain(text);
    boolean explain = !sql.equals(text);
    return new SqlQuery(
        warehouse,
        sql,
        explain,
        values,
        SqlPlanner.plan(catalog(warehouse, Map.of()), sql, values));
  }

  static void requireLength(String text) {
    if (text.length() > SQL_CHARS_MAX) {
      throw UniserveException.invalid(
          "SQL: " + text.length() + " characters, at most " + SQL_CHARS_MAX);
    }
  }

  /** Places in errors stay those of the text as given. */
  static String withoutExplain(String text) {
    int begin = text.length() - text.stripLeading().length();
    boolean explain = text.regionMatches(true, begin, EXPLAIN, 0, EXPLAIN.length());
    return explain
        ? text.substring(0, begin)
            + " ".repeat(EXPLAIN.length())
            + text.substring(begin + EXPLAIN.length())
        : text;
  }

  static Catalog catalog(TableDefinition warehouse, Map<String, Long> rows) {
    List<SqlTable> tables = List.copyOf(WarehouseSchema.of(warehouse).tables().values());
    return new Catalog(warehouse.name(), tables, rows);
  }

  /** The plan of its answer. */
  <R> Plan<R> plan(Function<LastStage, R> end) {
    return planned(query -> new StagePlan<>(warehouse, query, end).plan());
  }

  /** The plan of what EXPLAIN gives. */
  <R> Plan<R> explained(Function<List<String>, R> document) {
    return planned(
        query -> {
          List<String> lines = new ArrayList<>();
          query.explain().forEach(stage -> stage.lines().forEach(lines::add));
          return new Plan.Known<>(document.apply(lines));
        });
  }

  private <R> Plan<R> planned(Function<DistributedQuery, Plan<R>> next) {
    return small.stages().size() <= STAGES_WITHOUT_CHOICE
        ? next.apply(small)
        : CountRows.of(warehouse.name())
            .then(rows -> next.apply(SqlPlanner.plan(catalog(warehouse, rows.of()), sql, values)));
  }
}
