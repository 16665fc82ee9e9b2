package io.uniserve.sql.planner;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.estimates.Estimates;
import io.uniserve.sql.planner.DistributedQuery.Column;
import io.uniserve.sql.rewrites.Pushdown;
import io.uniserve.sql.rewrites.SemiJoinReduction;
import io.uniserve.sql.syntax.SqlStatement;
import io.uniserve.sql.syntax.SqlType;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.sql.SqlNode;

/** The planner, which cuts SQL into stages. */
public final class SqlPlanner {
  private SqlPlanner() {}

  /**
   * Cuts a query into stages.
   *
   * @param values the values of its parameters, the question marks, in order: null, Boolean, Long,
   *     Double, BigDecimal, String, LocalDate or LocalDateTime; or a {@link SqlType} for an unknown
   *     value of this type, which suffices for the types of the answer
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming the wrong part of the
   *     query and its place, or {@link ErrorCode#UNSUPPORTED} naming the part that cannot be
   *     planned
   */
  public static DistributedQuery plan(Catalog catalog, String sql, List<?> values) {
    return checked(
        () -> {
          SqlStatement statement = SqlStatement.parse(sql, catalog.name(), catalog.tables());
          return stages(catalog, statement.with(values).tree());
        });
  }

  /**
   * Plans a change.
   *
   * @param rows the values of its parameters, as in {@link #plan}: one row, or several for a
   *     statement that {@link #takesRows}
   * @throws UniserveException as {@link #plan} does
   */
  public static SqlChange change(Catalog catalog, String sql, List<? extends List<?>> rows) {
    return checked(
        () -> {
          SqlStatement statement = SqlStatement.parse(sql, catalog.name(), catalog.tables());
          return new Changes(catalog).of(statement.withRows(rows).tree());
        });
  }

  /**
   * Returns whether a change can be planned once for many rows of parameters: an {@code INSERT} of
   * {@code VALUES}.
   *
   * @throws UniserveException if the text is no SQL
   */
  public static boolean takesRows(String sql) {
    return checked(() -> SqlStatement.parse(sql).takesRows());
  }

  /**
   * Returns the types of the parameters of a query or a change, as far as it determines them.
   *
   * @throws UniserveException as {@link #plan} does
   */
  public static List<SqlType> parameters(Catalog catalog, String sql) {
    return checked(
        () -> {
          SqlStatement statement = SqlStatement.parse(sql, catalog.name(), catalog.tables());
          return statement.parameters() == 0
              ? List.of()
              : catalog.translation().parameters(statement.tree());
        });
  }

  /**
   * Returns the qualifiers of a statement's table names: for instance {@code a} and {@code b} of
   * {@code select * from a.t join b.u using (id)}, in lower case.
   *
   * @throws UniserveException if the text is no SQL
   */
  public static Set<String> qualifiers(String sql) {
    return checked(() -> SqlStatement.qualifiers(sql));
  }

  /** Returns the words that cannot be names without quotes, except those of SQL-92. */
  public static List<String> keywords() {
    return SqlStatement.keywords();
  }

  /**
   * Returns whether a statement reads, changes, creates or drops a table.
   *
   * @throws UniserveException if the text is no SQL
   */
  public static boolean namesTables(String sql) {
    return checked(() -> SqlStatement.namesTables(sql));
  }

  private static <T> T checked(Supplier<T> work) {
    try {
      return work.get();
    } catch (UniserveException e) {
      throw e;
    } catch (RuntimeException | AssertionError e) { // Calcite checks itself with both
      throw new UniserveException(ErrorCode.UNSUPPORTED, "SQL: it cannot be cut into stages", e);
    } catch (StackOverflowError e) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "SQL: parts of the statement are nested too deeply", e);
    }
  }

  static DistributedQuery stages(Catalog catalog, SqlNode query) {
    RelRoot root = catalog.translation().algebra(query);
    Estimates estimates = new Estimates();
    RelNode reduced =
        SemiJoinReduction.of(
            Pushdown.of(root.rel), estimates, rel -> cost(catalog, rel, estimates));
    Stages stages = new Stages(root.rel.getCluster(), catalog.actors(), catalog.actorSql());
    boolean passes = stages.end(new Splitter(stages, estimates).place(reduced));
    List<Column> columns =
        root.fields.stream().map(field -> new Column(field.getValue(), field.getKey())).toList();
    Optional<KeyedRows> keyed = passes ? keyed(catalog, reduced) : Optional.empty();
    return new DistributedQuery(stages.all(), columns, passes, keyed);
  }

  private static Optional<KeyedRows> keyed(Catalog catalog, RelNode rel) {
    return KeyedAlgebra.of(rel)
        .map(
            with -> {
              Stages stages = new Stages(rel.getCluster(), catalog.actors(), catalog.actorSql());
              stages.end(new Splitter(stages, new Estimates()).place(with.rel()));
              return with.rows(stages.all().getFirst().sql());
            });
  }

  private static double cost(Catalog catalog, RelNode rel, Estimates estimates) {
    Stages stages = new Stages(rel.getCluster(), catalog.actors(), catalog.actorSql());
    stages.end(new Splitter(stages, estimates).place(rel));
    return stages.cost();
  }
}
