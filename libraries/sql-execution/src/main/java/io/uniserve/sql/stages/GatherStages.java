package io.uniserve.sql.stages;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.sql.backend.Broadcast;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * A gather that puts the rows of {@link ScatterStage} beside the actor that they were sent to.
 *
 * @param name the name of the stage that reads them
 */
@Name("GatherStages")
public record GatherStages(String name) implements Operator.Gather<SqlActor, GatheredRows> {
  /** The most bytes that one actor may be sent in one step. */
  private static final long BYTES_MAX = 256L << 20;

  @Override
  public GatheredRows gather(
      PartitionKey attribute,
      Iterator<ByteBuffer> chunks,
      Optional<SqlActor> anchor,
      OperatorContext context) {
    LinkedHashMap<String, List<ByteBuffer>> blocks = new LinkedHashMap<>();
    long bytes = 0;
    while (chunks.hasNext()) {
      context.checkCancelled();
      ByteBuffer chunk = chunks.next();
      bytes += chunk.remaining();
      if (bytes > BYTES_MAX) {
        throw new UniserveException(
            ErrorCode.TOO_LARGE,
            "SQL: stage " + name + " sends more than " + BYTES_MAX + " bytes to one actor");
      }
      byte[] head = new byte[Byte.toUnsignedInt(chunk.get())];
      chunk.get(head);
      byte[] rows = new byte[chunk.remaining()];
      chunk.get(rows);
      String stage = new String(head, StandardCharsets.UTF_8);
      blocks.computeIfAbsent(stage, none -> new ArrayList<>()).add(ByteBuffer.wrap(rows));
    }
    List<Broadcast> rows =
        blocks.entrySet().stream()
            .map(stage -> new Broadcast(stage.getKey(), stage.getValue()))
            .toList();
    SqlActor actor =
        anchor.orElseThrow(
            () -> new UniserveException(ErrorCode.INTERNAL, "a gather of rows has no anchor"));
    return new GatheredRows(actor, rows);
  }
}
