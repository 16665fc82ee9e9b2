package io.uniserve.sql.backend;

import io.uniserve.sql.planner.DistributedQuery.Column;
import java.util.List;

/**
 * The stage that makes the answer, with its inputs.
 *
 * @param sql its statement
 * @param inputs the rows of earlier stages
 * @param columns the columns of the answer, among those of the statement
 * @param isOfCaller true if the statement is the caller's query itself, so that its errors are the
 *     caller's
 */
public record LastStage(
    String sql, List<Broadcast> inputs, List<Column> columns, boolean isOfCaller) {
  /** Copies the lists. */
  public LastStage {
    inputs = List.copyOf(inputs);
    columns = List.copyOf(columns);
  }
}
