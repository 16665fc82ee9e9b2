package io.uniserve.engines.warehouse;

import io.uniserve.api.OperatorContext;
import io.uniserve.api.Usage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * An actor, and rows of earlier stages that came to it.
 *
 * @param actor that stayed in place
 * @param rows what came, a table for each stage
 */
record GatheredRows(WarehouseActor actor, List<Shipped> rows) implements RowSource {
  @Override
  public long query(
      List<Shipped> inputs, String sql, OperatorContext request, Consumer<ByteBuffer> blocks) {
    List<Shipped> all = new ArrayList<>(rows);
    all.addAll(inputs);
    return actor.query(all, sql, request, blocks);
  }

  @Override
  public Usage usage() {
    return new Usage(rows.stream().mapToLong(Shipped::bytes).sum(), 0);
  }
}
