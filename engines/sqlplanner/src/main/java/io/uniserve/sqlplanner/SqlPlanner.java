package io.uniserve.sqlplanner;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlplanner.DistributedQuery.Column;
import java.util.List;
import java.util.function.Supplier;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.sql.SqlNode;

/** Makes stages of SQL. */
public final class SqlPlanner {
  private SqlPlanner() {}

  /**
   * Cuts a query into stages.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming what is wrong in the
   *     query and where, or {@link ErrorCode#UNSUPPORTED} naming what cannot be planned
   */
  public static DistributedQuery plan(Catalog catalog, String sql) {
    return checked(() -> stages(catalog, Translation.parse(sql)));
  }

  /**
   * What a statement changes.
   *
   * @throws UniserveException as {@link #plan} does
   */
  public static SqlChange change(Catalog catalog, String sql) {
    return checked(() -> new Changes(catalog).of(Translation.parse(sql)));
  }

  private static <T> T checked(Supplier<T> work) {
    try {
      return work.get();
    } catch (UniserveException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "SQL: this query cannot be planned: " + e, e);
    }
  }

  static DistributedQuery stages(Catalog catalog, SqlNode query) {
    RelRoot root = new Translation(catalog).algebra(query);
    Stages stages = new Stages(root.rel.getCluster(), catalog.actors());
    stages.end(new Splitter(stages).place(root.rel));
    List<Column> columns =
        root.fields.stream().map(field -> new Column(field.getValue(), field.getKey())).toList();
    return new DistributedQuery(stages.all(), columns);
  }
}
