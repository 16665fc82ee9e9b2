package io.uniserve.engines.warehouse;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.PartitionKey;
import io.uniserve.api.Partitioner;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Runs a stage and sends its rows from server to server: all to every actor, or each to the actor
 * of its values of some columns. Every actor gets at least one block, which tells the columns.
 *
 * @param name the stage's
 * @param sql its statement
 * @param inputs the rows of earlier stages that come with it
 * @param partitioner which actors there are
 * @param spreadBy the columns whose values tell the actor; none for all actors
 */
record ScatterStage(
    String name, String sql, List<Shipped> inputs, Partitioner partitioner, List<Integer> spreadBy)
    implements Operator.Scatter<RowSource> {
  /** Copies the lists. */
  ScatterStage {
    inputs = List.copyOf(inputs);
    spreadBy = List.copyOf(spreadBy);
  }

  @Override
  public void scatter(RowSource input, Output<Chunk> chunks, OperatorContext context) {
    List<PartitionKey> actors = Spreading.everyActor(partitioner);
    if (spreadBy.isEmpty()) {
      long rows =
          input.query(
              inputs,
              sql,
              context,
              some -> {
                ByteBuffer chunk = chunk(Blocks.of(some));
                actors.forEach(actor -> chunks.put(new Chunk(actor, chunk.asReadOnlyBuffer())));
              });
      context.reportRows(rows);
      return;
    }
    try (SpreadRows spread =
        new SpreadRows(
            partitioner,
            spreadBy,
            (actor, rows) -> chunks.put(new Chunk(actors.get(actor), chunk(rows))))) {
      context.reportRows(input.query(inputs, sql, context, spread));
      spread.finish();
    }
  }

  private ByteBuffer chunk(ByteBuffer rows) {
    byte[] head = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer chunk = ByteBuffer.allocate(Byte.BYTES + head.length + rows.remaining());
    return chunk.put((byte) head.length).put(head).put(rows).flip();
  }
}
