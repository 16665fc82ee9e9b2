package io.uniserve.sqlplanner;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.sqlplanner.DistributedQuery.Column;
import java.util.List;
import org.apache.calcite.rel.RelRoot;

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
    try {
      return stages(catalog, sql);
    } catch (UniserveException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "SQL: this query cannot be planned: " + e, e);
    }
  }

  private static DistributedQuery stages(Catalog catalog, String sql) {
    RelRoot root = new Translation(catalog).algebra(Translation.parse(sql));
    Stages stages = new Stages(root.rel.getCluster(), catalog.actors());
    stages.end(new Splitter(stages).place(root.rel));
    List<Column> columns =
        root.fields.stream().map(field -> new Column(field.getValue(), field.getKey())).toList();
    return new DistributedQuery(stages.all(), columns);
  }
}
