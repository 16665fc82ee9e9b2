package io.uniserve.engines.warehouse;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.PartitionKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Runs a stage and sends all its rows to every actor, from server to server.
 *
 * @param name the stage's
 * @param sql its statement
 * @param inputs the rows of earlier stages that come with it
 * @param actors for each actor a key that it holds
 */
record ScatterStage(String name, String sql, List<Shipped> inputs, List<PartitionKey> actors)
    implements Operator.Scatter<RowSource> {
  /** Copies the lists. */
  ScatterStage {
    inputs = List.copyOf(inputs);
    actors = List.copyOf(actors);
  }

  @Override
  public void scatter(RowSource input, Output<Chunk> chunks, OperatorContext context) {
    byte[] head = name.getBytes(StandardCharsets.UTF_8);
    context.reportRows(
        input.query(
            inputs,
            sql,
            context,
            rows -> {
              context.checkCancelled();
              ByteBuffer chunk = ByteBuffer.allocate(Byte.BYTES + head.length + rows.remaining());
              chunk.put((byte) head.length).put(head).put(rows).flip();
              actors.forEach(actor -> chunks.put(new Chunk(actor, chunk.asReadOnlyBuffer())));
            }));
  }
}
