package io.uniserve.sql.stages;

import io.uniserve.api.Dataset;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.Broadcast;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.vector.VectorSchemaRoot;

/** What a stage can run on. */
public interface RowSource extends Dataset {
  /**
   * Runs a query; gives its rows, some at a time.
   *
   * @param inputs the rows of earlier stages, which it finds as tables
   * @param request whose deadline and cancellation end it
   * @return how many rows
   * @throws UniserveException what the database reports
   */
  long query(
      List<Broadcast> inputs, String sql, OperatorContext request, Consumer<VectorSchemaRoot> rows);
}
