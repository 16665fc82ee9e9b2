package io.uniserve.engines.warehouse;

import io.uniserve.api.Dataset;
import io.uniserve.api.OperatorContext;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/** What a stage can run on. */
sealed interface RowSource extends Dataset permits WarehouseActor, GatheredRows {
  /**
   * Runs a query; gives its rows, in blocks.
   *
   * @param inputs the rows of earlier stages, which it finds as tables
   * @return how many rows
   */
  long query(
      List<Shipped> inputs, String sql, OperatorContext request, Consumer<ByteBuffer> blocks);
}
