package io.uniserve.duckdb;

import io.uniserve.sqlbackend.Shipped;
import io.uniserve.sqlplanner.DistributedQuery.Column;
import java.util.List;

/**
 * The stage that gives the answer, with all that it reads.
 *
 * @param sql its statement
 * @param inputs the rows of earlier stages
 * @param columns of the answer, among those of the statement
 * @param isOfCaller whether the statement is the query as it was asked, so that whatever DuckDB
 *     finds wrong in it is
 */
public record LastStage(
    String sql, List<Shipped> inputs, List<Column> columns, boolean isOfCaller) {
  /** Copies the lists. */
  public LastStage {
    inputs = List.copyOf(inputs);
    columns = List.copyOf(columns);
  }
}
