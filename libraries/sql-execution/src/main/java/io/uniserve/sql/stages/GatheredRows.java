package io.uniserve.sql.stages;

import io.uniserve.api.OperatorContext;
import io.uniserve.api.Usage;
import io.uniserve.sql.backend.Broadcast;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.vector.VectorSchemaRoot;

/**
 * An actor, and the rows of earlier stages that were sent to it.
 *
 * @param actor the actor
 * @param gathered the rows that were sent, a table for each stage
 */
record GatheredRows(SqlActor actor, List<Broadcast> gathered) implements RowSource {
  @Override
  public long query(
      List<Broadcast> inputs,
      String sql,
      OperatorContext request,
      Consumer<VectorSchemaRoot> rows) {
    List<Broadcast> all = new ArrayList<>(gathered);
    all.addAll(inputs);
    return actor.query(all, sql, request, rows);
  }

  @Override
  public Usage usage() {
    return new Usage(gathered.stream().mapToLong(Broadcast::bytes).sum(), 0);
  }
}
