package io.uniserve.engines.warehouse;

import io.uniserve.api.Dataset;
import io.uniserve.api.OperatorContext;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.vector.VectorSchemaRoot;

/** What a stage can run on. */
sealed interface RowSource extends Dataset permits WarehouseActor, GatheredRows {
  /**
   * Runs a query; gives its rows, some at a time.
   *
   * @param inputs the rows of earlier stages, which it finds as tables
   * @return how many rows
   */
  long query(
      List<Shipped> inputs, String sql, OperatorContext request, Consumer<VectorSchemaRoot> rows);
}
