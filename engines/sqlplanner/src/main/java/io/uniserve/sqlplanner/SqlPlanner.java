package io.uniserve.sqlplanner;

import io.uniserve.sqlplanner.DistributedQuery.Column;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;

/** Makes stages of SQL. */
public final class SqlPlanner {
  private SqlPlanner() {}

  /**
   * Cuts a query into stages.
   *
   * @throws io.uniserve.api.UniserveException with {@link
   *     io.uniserve.api.ErrorCode#INVALID_ARGUMENT} naming what is wrong in the query and where, or
   *     {@link io.uniserve.api.ErrorCode#UNSUPPORTED} naming what cannot be planned
   */
  public static DistributedQuery plan(Catalog catalog, String sql) {
    RelRoot root = new Translation(catalog).algebra(Translation.parse(sql));
    Stages stages = new Stages(root.rel.getCluster());
    RelNode answer = stages.atClient(new Splitter(stages).place(root.rel));
    stages.end(answer);
    List<Column> columns =
        root.fields.stream().map(field -> new Column(field.getValue(), field.getKey())).toList();
    return new DistributedQuery(stages.all(), columns);
  }
}
