package io.uniserve.sql.stages;

import io.uniserve.api.Dataset;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.Broadcast;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The data that a stage can run on. */
public interface RowSource extends Dataset {
  /**
   * Runs a query and passes on its rows, some at a time.
   *
   * @param inputs the rows of earlier stages, which it reads as tables
   * @param request the request, whose deadline or cancellation ends the query
   * @return the number of rows
   * @throws UniserveException with the database's error
   */
  long query(
      List<Broadcast> inputs, String sql, OperatorContext request, Consumer<VectorSchemaRoot> rows);
}
