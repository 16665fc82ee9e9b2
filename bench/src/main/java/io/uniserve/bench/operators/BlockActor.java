package io.uniserve.bench.operators;

import io.uniserve.api.Actor;
import io.uniserve.api.Usage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** An actor without data that returns one block of Arrow over and over. */
public final class BlockActor implements Actor {
  /** The number of rows in a block, as many as the warehouse sends together. */
  private static final int ROWS = 8_192;

  private static final int COLUMNS = 8;

  private final ByteBuffer block = block();

  /** Returns an Arrow stream of {@value #ROWS} rows of integers, about half a megabyte. */
  ByteBuffer rows() {
    return block.asReadOnlyBuffer();
  }

  private static ByteBuffer block() {
    List<Field> fields =
        IntStream.range(0, COLUMNS)
            .mapToObj(i -> Field.notNullable("c" + i, new ArrowType.Int(Long.SIZE, true)))
            .toList();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (BufferAllocator memory = new RootAllocator();
        VectorSchemaRoot rows = VectorSchemaRoot.create(new Schema(fields), memory);
        ArrowStreamWriter writer = new ArrowStreamWriter(rows, null, Channels.newChannel(bytes))) {
      for (int column = 0; column < COLUMNS; column++) {
        BigIntVector numbers = (BigIntVector) rows.getVector(column);
        for (int row = 0; row < ROWS; row++) {
          numbers.setSafe(row, (long) row * COLUMNS + column);
        }
      }
      rows.setRowCount(ROWS);
      writer.start();
      writer.writeBatch();
      writer.end();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  @Override
  public void serialize(Path directory) {
    // There is no data: the empty directory is complete.
  }

  @Override
  public Usage usage() {
    return Usage.NONE;
  }

  @Override
  public void close() {
    // The actor holds nothing that must be closed.
  }
}
