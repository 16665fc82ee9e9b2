package io.uniserve.sqlplanner;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlplanner.DistributedQuery.Column;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.sql.SqlNode;

/** Makes stages of SQL. */
public final class SqlPlanner {
  private SqlPlanner() {}

  /**
   * Cuts a query into stages.
   *
   * @param values of its parameters, the question marks, in order: null, Boolean, Long, Double,
   *     BigDecimal, String, LocalDate or LocalDateTime; a {@link SqlType} for a value of this type
   *     that is not known yet, which only the types of the answer can be told with
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming what is wrong in the
   *     query and where, or {@link ErrorCode#UNSUPPORTED} naming what cannot be planned
   */
  public static DistributedQuery plan(Catalog catalog, String sql, List<?> values) {
    return guarded(() -> stages(catalog, sql, values));
  }

  /**
   * The types of a query's parameters, as far as the query tells them.
   *
   * @throws UniserveException as {@link #plan} does
   */
  public static List<SqlType> parameters(Catalog catalog, String sql) {
    return guarded(
        () -> {
          SqlNode statement = Names.unqualified(Translation.parse(sql), catalog);
          return Parameters.count(statement) == 0
              ? List.of()
              : new Translation(catalog).parameters(statement);
        });
  }

  /**
   * What the names of the tables that a query reads are qualified with: for instance {@code a} and
   * {@code b} of {@code select * from a.t join b.u using (id)}, in lower case.
   *
   * @throws UniserveException if it is no SQL
   */
  public static Set<String> qualifiers(String sql) {
    return guarded(() -> Names.qualifiers(Translation.parse(sql)));
  }

  private static <T> T guarded(Supplier<T> work) {
    try {
      return work.get();
    } catch (UniserveException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "SQL: this query cannot be planned: " + e, e);
    }
  }

  private static DistributedQuery stages(Catalog catalog, String sql, List<?> values) {
    SqlNode statement = Names.unqualified(Translation.parse(sql), catalog);
    RelRoot root = new Translation(catalog).algebra(Parameters.replaced(statement, values));
    Stages stages = new Stages(root.rel.getCluster());
    boolean passes = stages.end(stages.atClient(new Splitter(stages).place(root.rel)));
    List<Column> columns =
        root.fields.stream().map(field -> new Column(field.getValue(), field.getKey())).toList();
    return new DistributedQuery(stages.all(), columns, passes);
  }
}
