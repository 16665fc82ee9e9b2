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
 * The planning of statements. Their queries are cut into stages if possible and computed whole
 * otherwise. The choice depends on the query and the tables alone.
 */
public final class QueryPlans {
  private static final String PREFIX = "SQL: ";

  /** The pattern of statements that change existing rows, which are planned in one way only. */
  private static final Pattern REWRITING =
      Pattern.compile("(?is)(?:\\s|--[^\n]*(?:\n|$)|/\\*.*?\\*/)*(?:update|delete)\\b");

  private QueryPlans() {}

  /**
   * Plans a query.
   *
   * @param values the values of its parameters, see {@link SqlPlanner#plan}
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming the wrong part of the
   *     query and its place, or {@link ErrorCode#UNSUPPORTED} naming the name that is not allowed
   */
  public static DistributedQuery plan(Catalog catalog, String sql, List<?> values) {
    return either(
        sql,
        () -> checked(catalog, SqlPlanner.plan(catalog, sql, values), Described.query(sql), values),
        refusal -> WholeQuery.of(catalog, sql, values).query(reason(refusal)));
  }

  /**
   * Plans a change.
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
   * Returns whether a change can be planned once for many rows of parameters, see {@link
   * SqlPlanner#takesRows}.
   */
  public static boolean takesRows(String sql) {
    return either(sql, () -> SqlPlanner.takesRows(sql), refusal -> false);
  }

  /**
   * Returns the types of the parameters of a query or a change.
   *
   * @throws UniserveException as {@link #plan} does, also if nothing determines the type of one
   */
  public static List<SqlType> parameters(Catalog catalog, String sql) {
    return either(
        sql,
        () -> SqlPlanner.parameters(catalog, sql),
        refusal -> WholeQuery.parameters(catalog, queryOf(sql)));
  }

  /**
   * Returns the qualifiers of a statement's table names, see {@link SqlPlanner#qualifiers}.
   *
   * @throws UniserveException if the text is no SQL
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
   * Returns whether a statement reads, changes, creates or drops a table.
   *
   * @throws UniserveException if the text is no SQL
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

  /** Returns the query of a statement, with each character at its place. */
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

  /** Returns the plan, if DuckDB accepts its stages and understands the query as they do. */
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
      return planned; // only the planner of stages can read this, such as information_schema
    }
    // An error of DuckDB counts, even if Calcite accepts the query.
    WholeQuery whole = read.bound();
    return Agreement.difference(planned, stages, whole.columns())
        .map(difference -> whole.query("as DuckDB understands it, " + difference))
        .orElseGet(() -> Agreement.named(planned, whole.columns()));
  }

  /** Returns the result of the planner of stages or, if it refuses, that of the alternative. */
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
      // A query that is too large to plan is too large to run, whoever plans it.
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
