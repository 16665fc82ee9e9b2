package io.uniserve.sql.whole;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.BoundColumn;
import io.uniserve.sql.backend.ClientSql;
import io.uniserve.sql.planner.ActorSql;
import io.uniserve.sql.planner.Catalog;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.planner.SqlChange;
import io.uniserve.sql.planner.SqlPlanner;
import io.uniserve.sql.syntax.Described;
import io.uniserve.sql.syntax.InsertStatement;
import io.uniserve.sql.syntax.SqlStatement;
import io.uniserve.sql.syntax.SqlType;
import io.uniserve.sql.syntax.TableStatement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Plans statements: their queries are cut into stages where that can be, and computed whole where
 * it cannot. Which of both a query gets follows from the query and the tables alone.
 */
public final class QueryPlans {
  private static final String PREFIX = "SQL: ";

  /** Begins what changes rows that are there, which is planned in one way alone. */
  private static final Pattern REWRITING =
      Pattern.compile("(?is)(?:\\s|--[^\n]*(?:\n|$)|/\\*.*?\\*/)*(?:update|delete)\\b");

  private QueryPlans() {}

  /**
   * Plans a query.
   *
   * @param values of its parameters, see {@link SqlPlanner#plan}
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming what is wrong in the
   *     query and where, or {@link ErrorCode#UNSUPPORTED} naming what it may not name
   */
  public static DistributedQuery plan(Catalog catalog, String sql, List<?> values) {
    return either(
        sql,
        () -> checked(catalog, SqlPlanner.plan(catalog, sql, values), Described.query(sql), values),
        refusal -> WholeQuery.of(catalog, sql, values).query(reason(refusal)));
  }

  /**
   * What a statement changes.
   *
   * @param rows the values of its parameters, see {@link SqlPlanner#change}
   * @throws UniserveException as {@link #plan} does
   */
  public static SqlChange change(Catalog catalog, String sql, List<? extends List<?>> rows) {
    if (!InsertStatement.isOne(sql)) {
      return SqlPlanner.change(catalog, sql, rows);
    }
    return either(
        sql,
        () -> {
          SqlChange change = SqlPlanner.change(catalog, sql, rows);
          return change instanceof SqlChange.Insert insert
              ? checked(catalog, insert, sql, rows)
              : change;
        },
        refusal -> {
          if (rows.size() != 1) {
            throw refusal;
          }
          return WholeInsert.of(catalog, InsertStatement.of(sql), rows.getFirst(), reason(refusal));
        });
  }

  /**
   * Whether a change can be planned once for many rows of parameters, see {@link
   * SqlPlanner#takesRows}.
   */
  public static boolean takesRows(String sql) {
    return either(sql, () -> SqlPlanner.takesRows(sql), refusal -> false);
  }

  /**
   * The types of the parameters of a query or a change, as far as it tells them.
   *
   * @throws UniserveException as {@link #plan} does, also if nothing tells the type of one
   */
  public static List<SqlType> parameters(Catalog catalog, String sql) {
    return either(
        sql,
        () -> SqlPlanner.parameters(catalog, sql),
        refusal -> WholeQuery.parameters(catalog, queryOf(sql)));
  }

  /**
   * What the names of the tables of a statement are qualified with, see {@link
   * SqlPlanner#qualifiers}.
   *
   * @throws UniserveException if it is no SQL
   */
  public static Set<String> qualifiers(String sql) {
    return either(
        sql,
        () -> SqlPlanner.qualifiers(sql),
        refusal -> {
          Set<String> all = new TreeSet<>(Reading.qualifiers(Tree.of(queryOf(sql))));
          if (TableStatement.isOne(sql)) {
            TableStatement.of(sql).qualifier().ifPresent(all::add);
          } else if (InsertStatement.isOne(sql)) {
            InsertStatement.of(sql).qualifier().ifPresent(all::add);
          }
          return all;
        });
  }

  /**
   * Whether a statement reads or changes any table, or makes or drops one.
   *
   * @throws UniserveException if it is no SQL
   */
  public static boolean namesTables(String sql) {
    return either(
        sql,
        () -> SqlPlanner.namesTables(sql),
        refusal ->
            InsertStatement.isOne(sql)
                || TableStatement.isOne(sql)
                || Reading.namesTables(Tree.of(sql)));
  }

  /** The query of a statement, each character where it was. */
  private static String queryOf(String sql) {
    if (InsertStatement.isOne(sql)) {
      return InsertStatement.of(sql).query();
    }
    return TableStatement.isOne(sql) && TableStatement.of(sql) instanceof TableStatement.CreateAs as
        ? as.query()
        : sql;
  }

  private static SqlChange checked(
      Catalog catalog, SqlChange.Insert insert, String sql, List<? extends List<?>> rows) {
    if (rows.size() != 1) {
      return insert;
    }
    String query = InsertStatement.of(sql).query();
    return new SqlChange.Insert(
        insert.table(), insert.columns(), checked(catalog, insert.rows(), query, rows.getFirst()));
  }

  /** The plan, if DuckDB takes its stages, and understands the query as they do. */
  private static DistributedQuery checked(
      Catalog catalog, DistributedQuery planned, String sql, List<?> values) {
    if (catalog.actorSql() != ActorSql.DUCKDB) {
      return planned;
    }
    List<BoundColumn> stages = ClientSql.get().bound(catalog.tables(), planned);
    WholeQuery.Read read;
    try {
      read = WholeQuery.read(catalog, sql, values);
    } catch (UniserveException e) {
      if (e.code() == ErrorCode.UNSUPPORTED) {
        throw e;
      }
      return planned; // what only the planner of stages can read, such as information_schema
    }
    // What DuckDB finds wrong is wrong, whatever Calcite makes of it.
    WholeQuery whole = read.bound();
    return Agreement.difference(planned, stages, whole.columns())
        .map(difference -> whole.query("as DuckDB understands it, " + difference))
        .orElseGet(() -> Agreement.named(planned, whole.columns()));
  }

  /** What the planner of stages gives; or, if it refuses, what is to be had otherwise. */
  private static <T> T either(
      String sql, Supplier<T> planner, Function<UniserveException, T> otherwise) {
    try {
      return oneOf(sql, planner, otherwise);
    } catch (StackOverflowError e) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "SQL: parts of the statement are nested too deeply", e);
    }
  }

  private static <T> T oneOf(
      String sql, Supplier<T> planner, Function<UniserveException, T> otherwise) {
    UniserveException refusal;
    try {
      return planner.get();
    } catch (UniserveException e) {
      // What is too large to plan is too large to run, for whoever plans it.
      if (e.code() == ErrorCode.TOO_LARGE || REWRITING.matcher(sql).lookingAt()) {
        throw e;
      }
      refusal = e;
    }
    try {
      return otherwise.apply(refusal);
    } catch (UniserveException e) {
      boolean isOfDuckDb =
          e.code() == ErrorCode.UNSUPPORTED
              || parses(() -> Tree.of(queryOf(sql)))
              || !parses(() -> SqlStatement.parse(sql));
      throw isOfDuckDb ? e : refusal;
    }
  }

  private static boolean parses(Supplier<?> parser) {
    try {
      return parser.get() != null;
    } catch (UniserveException e) {
      return false;
    }
  }

  private static String reason(UniserveException refusal) {
    String message = refusal.getMessage();
    return message.startsWith(PREFIX) ? message.substring(PREFIX.length()) : message;
  }
}
