package io.uniserve.engines.warehouse;

import io.uniserve.sqlplanner.DistributedQuery.Column;
import java.util.List;

/**
 * The stage that gives the answer, with all that it reads.
 *
 * @param sql its statement
 * @param inputs the rows of earlier stages
 * @param columns of the answer, among those of the statement
 */
record LastStage(String sql, List<Shipped> inputs, List<Column> columns) {
  /** Copies the lists. */
  LastStage {
    inputs = List.copyOf(inputs);
    columns = List.copyOf(columns);
  }
}
