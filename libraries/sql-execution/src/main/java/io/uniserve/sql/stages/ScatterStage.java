package io.uniserve.sql.stages;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.arrow.SpreadRows;
import io.uniserve.sql.arrow.Spreading;
import io.uniserve.sql.backend.Broadcast;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * A scatter that runs a stage and sends its rows from server to server: all to every actor, or each
 * to the actor of its values of some columns. Every actor gets at least one block, which shows the
 * columns. The run decides which actors exist, so that all of its stages agree.
 *
 * @param name the stage's name
 * @param sql its statement
 * @param inputs the rows of earlier stages that are sent with it
 * @param spreadBy the columns whose values decide the actor; none for all actors
 */
@Name("ScatterStage")
public record ScatterStage(String name, String sql, List<Broadcast> inputs, List<Integer> spreadBy)
    implements Operator.Scatter<RowSource> {
  /** Copies the lists. */
  public ScatterStage {
    inputs = List.copyOf(inputs);
    spreadBy = List.copyOf(spreadBy);
  }

  @Override
  public void scatter(RowSource input, Output<Chunk> chunks, OperatorContext context) {
    Partitioner partitioner =
        context
            .anchor()
            .orElseThrow(
                () -> new UniserveException(ErrorCode.INTERNAL, "rows are scattered to no actors"));
    SortedMap<Integer, PartitionKey> actors = Spreading.everyActor(partitioner);
    if (spreadBy.isEmpty()) {
      context.reportRows(
          input.query(
              inputs,
              sql,
              context,
              some -> {
                ByteBuffer chunk = chunk(Blocks.of(some));
                actors
                    .values()
                    .forEach(actor -> chunks.put(new Chunk(actor, chunk.asReadOnlyBuffer())));
              }));
      return;
    }
    List<Integer> numbers = List.copyOf(actors.keySet());
    int[] places = new int[partitioner.actors()];
    for (int place = 0; place < numbers.size(); place++) {
      places[numbers.get(place)] = place;
    }
    AtomicReference<Schema> columns = new AtomicReference<>();
    try (SpreadRows spread =
        new SpreadRows(
            key -> places[partitioner.actorOf(key)],
            spreadBy,
            (place, rows) -> chunks.put(new Chunk(actors.get(numbers.get(place)), chunk(rows))))) {
      context.reportRows(
          input.query(
              inputs,
              sql,
              context,
              some -> {
                columns.set(some.getSchema());
                spread.accept(some);
              }));
      spread.finish(columns.get(), numbers.size());
    }
  }

  private ByteBuffer chunk(ByteBuffer rows) {
    byte[] head = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer chunk = ByteBuffer.allocate(Byte.BYTES + head.length + rows.remaining());
    return chunk.put((byte) head.length).put(head).put(rows).flip();
  }
}
