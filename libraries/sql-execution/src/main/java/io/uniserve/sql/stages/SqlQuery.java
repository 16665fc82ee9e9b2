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
 * A query of a warehouse that was checked and can be planned.
 *
 * @param warehouse that it reads
 * @param actorSql what the databases of its actors take
 * @param sql without EXPLAIN, each character where it was
 * @param wanted of it
 * @param values of its parameters
 * @param small its stages, as far as they follow from the query alone
 */
public record SqlQuery(
    TableDefinition warehouse,
    ActorSql actorSql,
    String sql,
    Wanted wanted,
    List<?> values,
    DistributedQuery small) {
  /** The one column of what EXPLAIN gives. */
  public static final String PLAN = "plan";

  /** The longest statement. */
  public static final int SQL_CHARS_MAX = 200_000;

  private static final Pattern CHANGE =
      Pattern.compile("(?i)\\s*(insert|update|delete|create|drop|alter|truncate)\\b");
  private static final Pattern EXPLAIN = Pattern.compile("(?i)\\s*explain\\s+(analyze\\s+)?");

  /** One stage in the actors and one at the client: how many rows there are changes nothing. */
  private static final int STAGES_WITHOUT_CHOICE = 2;

  /** What a query is to give. */
  public enum Wanted {
    /** What it asks for. */
    ANSWER,
    /** Its stages. */
    PLAN,
    /** Its stages, with what each took. */
    MEASURED_PLAN
  }

  /**
   * Checks a query.
   *
   * @param values of its parameters, see {@link SqlPlanner#plan}
   * @throws UniserveException naming what is wrong in it and where, or what cannot be planned
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

  /** Whether a statement changes something, or is wrong: it is no query. */
  public static boolean isChange(String sql) {
    return CHANGE.matcher(sql).lookingAt();
  }

  /**
   * Requires that a statement is not too long to be looked at.
   *
   * @throws UniserveException if it is
   */
  public static void requireLength(String text) {
    if (text.length() > SQL_CHARS_MAX) {
      throw UniserveException.invalid(
          "SQL: " + text.length() + " characters, at most " + SQL_CHARS_MAX);
    }
  }

  /** Places in errors stay those of the text as given. */
  static String withoutExplain(String text) {
    Matcher explain = EXPLAIN.matcher(text);
    return explain.lookingAt()
        ? explain.group().replaceAll("\\S", " ") + text.substring(explain.end())
        : text;
  }

  /**
   * What the planner knows of a warehouse.
   *
   * @param actorSql what the databases of its actors take
   * @param sizes of tables by the names that they are stored under, as far as they are known
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

  /** Whether the plan is asked for, and not the answer. */
  public boolean isExplain() {
    return wanted != Wanted.ANSWER;
  }

  /** The columns of its answer, of the types that they have whatever rows there are. */
  public Schema columns() {
    return ClientSql.get()
        .columns(List.copyOf(WarehouseSchema.of(warehouse).tables().values()), small);
  }

  /** The plan of its answer, as of {@link StagePlan#answer}. */
  public Plan<Map<String, Object>> answer() {
    return plan(ClientSql.get()::answer);
  }

  /** The plan of what becomes of its last stage. */
  <R> Plan<R> plan(StagePlan.End<R> end) {
    return planned(query -> new StagePlan<>(warehouse, query, end).plan());
  }

  /**
   * The plan of what EXPLAIN gives.
   *
   * @param document made of its lines
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
   * Plans with the tables' sizes where they can make a difference.
   *
   * @param small what is planned without them
   * @param planning plans again, with the sizes
   * @param query of what is planned
   * @param next goes on with what is planned
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
