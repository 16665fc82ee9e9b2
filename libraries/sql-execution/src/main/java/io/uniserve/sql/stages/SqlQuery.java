package io.uniserve.sql.stages;

import io.uniserve.api.Plan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.backend.ClientSql;
import io.uniserve.sql.backend.WarehouseSchema;
import io.uniserve.sql.planner.ActorSql;
import io.uniserve.sql.planner.Catalog;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.planner.SqlPlanner;
import io.uniserve.sql.syntax.SqlTable;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A checked query of a warehouse, which can be planned.
 *
 * @param warehouse the warehouse that it reads
 * @param actorSql the SQL of its actors' databases
 * @param sql the text without EXPLAIN, with each character at its place
 * @param wanted the wanted result
 * @param values the values of its parameters
 * @param small the stages that it has without knowledge of sizes
 */
public record SqlQuery(
    TableDefinition warehouse,
    ActorSql actorSql,
    String sql,
    Wanted wanted,
    List<?> values,
    DistributedQuery small) {
  /** The one column of EXPLAIN's result. */
  public static final String PLAN = "plan";

  /** The longest statement, in characters. */
  public static final int SQL_CHARS_MAX = 200_000;

  private static final Pattern CHANGE =
      Pattern.compile("(?i)\\s*(insert|update|delete|create|drop|alter|truncate)\\b");
  private static final Pattern EXPLAIN = Pattern.compile("(?i)\\s*explain\\s+(analyze\\s+)?");

  /**
   * The number of stages up to which sizes make no difference: one in the actors and one at the
   * client.
   */
  private static final int STAGES_WITHOUT_CHOICE = 2;

  /** The wanted result of a query. */
  public enum Wanted {
    /** The answer. */
    ANSWER,
    /** The stages. */
    PLAN,
    /** The stages with measurements. */
    MEASURED_PLAN
  }

  /**
   * Checks a query.
   *
   * @param values the values of its parameters, see {@link SqlPlanner#plan}
   * @throws UniserveException naming the wrong part and its place, or the part that cannot be
   *     planned
   */
  public static SqlQuery of(
      TableDefinition warehouse, ActorSql actorSql, String text, List<?> values) {
    requireLength(text);
    Matcher explain = EXPLAIN.matcher(text);
    Wanted wanted =
        !explain.lookingAt()
            ? Wanted.ANSWER
            : explain.group(1) == null ? Wanted.PLAN : Wanted.MEASURED_PLAN;
    String sql = withoutExplain(text);
    if (wanted != Wanted.ANSWER && isChange(sql)) {
      throw new UniserveException(ErrorCode.UNSUPPORTED, "SQL: EXPLAIN of what is no query");
    }
    return new SqlQuery(
        warehouse,
        actorSql,
        sql,
        wanted,
        values,
        LatestPlans.plan(catalog(warehouse, actorSql, Map.of()), sql, values));
  }

  /** Returns whether a statement is a change, or is wrong, and so is no query. */
  public static boolean isChange(String sql) {
    return CHANGE.matcher(sql).lookingAt();
  }

  /**
   * Checks that a statement is not too long.
   *
   * @throws UniserveException if it is
   */
  public static void requireLength(String text) {
    if (text.length() > SQL_CHARS_MAX) {
      throw UniserveException.invalid(
          "SQL: " + text.length() + " characters, at most " + SQL_CHARS_MAX);
    }
  }

  /** Replaces EXPLAIN by spaces, so that places in errors are those of the original text. */
  static String withoutExplain(String text) {
    Matcher explain = EXPLAIN.matcher(text);
    return explain.lookingAt()
        ? explain.group().replaceAll("\\S", " ") + text.substring(explain.end())
        : text;
  }

  /**
   * Makes the planner's catalog of a warehouse.
   *
   * @param actorSql the SQL of its actors' databases
   * @param sizes the sizes of tables by their stored names, as far as they are known
   */
  public static Catalog catalog(
      TableDefinition warehouse, ActorSql actorSql, Map<String, TableSize> sizes) {
    List<SqlTable> tables = List.copyOf(WarehouseSchema.of(warehouse).tables().values());
    return new Catalog(
        warehouse.name(),
        tables,
        sizes,
        warehouse.partitioner().living(),
        actorSql,
        ClientSql.get().types());
  }

  /** Returns whether the query asks for the plan instead of the answer. */
  public boolean isExplain() {
    return wanted != Wanted.ANSWER;
  }

  /** Returns the columns of its answer. Their types do not depend on the rows. */
  public Schema columns() {
    return ClientSql.get()
        .columns(List.copyOf(WarehouseSchema.of(warehouse).tables().values()), small);
  }

  /** Makes the plan of its answer, as {@link StagePlan#answer} does. */
  public Plan<Map<String, Object>> answer() {
    return plan(ClientSql.get()::answer);
  }

  /** Makes the plan of a use of its last stage. */
  <R> Plan<R> plan(StagePlan.End<R> end) {
    return planned(query -> new StagePlan<>(warehouse, query, end).plan());
  }

  /**
   * Makes the plan of EXPLAIN's result.
   *
   * @param document converts its lines
   */
  public <R> Plan<R> explained(Function<List<String>, R> document) {
    return planned(
        query ->
            wanted == Wanted.MEASURED_PLAN
                ? new StagePlan<>(warehouse, query, ClientSql.get()::answer)
                    .analysis()
                    .then(lines -> new Plan.Known<>(document.apply(lines)))
                : new Plan.Known<>(document.apply(query.explain(Map.of()))));
  }

  private <R> Plan<R> planned(Function<DistributedQuery, Plan<R>> next) {
    return weighed(
        warehouse,
        actorSql,
        small,
        catalog -> LatestPlans.plan(catalog, sql, values),
        Function.identity(),
        next);
  }

  /**
   * Plans with the tables' sizes if they can make a difference.
   *
   * @param small the plan without sizes
   * @param planning plans again, with the sizes
   * @param query returns the query of a plan
   * @param next continues with the plan
   */
  public static <T, R> Plan<R> weighed(
      TableDefinition warehouse,
      ActorSql actorSql,
      T small,
      Function<Catalog, T> planning,
      Function<T, DistributedQuery> query,
      Function<T, Plan<R>> next) {
    DistributedQuery known = query.apply(small);
    return known.isWhole() || known.stages().size() <= STAGES_WITHOUT_CHOICE
        ? next.apply(small)
        : AskSizes.of(warehouse)
            .then(sizes -> next.apply(planning.apply(catalog(warehouse, actorSql, sizes.of()))));
  }
}
