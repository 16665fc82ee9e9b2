package io.uniserve.arrowrows;

import io.uniserve.api.error.UniserveException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.util.function.Consumer;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;

/** Rows as Arrow streams. */
public final class Blocks {
  /** Rows that travel together. */
  public static final int ROWS_PER_BLOCK = 8_192;

  private static final long FILE_BYTES_MAX = 512L << 20;

  private static final BufferAllocator MEMORY = new RootAllocator();

  private Blocks() {}

  /**
   * Gives the rows of a block, some at a time, at least once.
   *
   * @return how many
   */
  public static long read(ByteBuffer block, Consumer<VectorSchemaRoot> taker) {
    try (BufferAllocator memory = newMemory();
        ArrowReader reader = ArrowStreams.reader(block, memory)) {
      return read(reader, taker);
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }

  /**
   * Gives all rows of a reader, some at a time; at least once, which tells the columns. They are
   * others, or freed, after the taker has returned.
   *
   * @return how many rows
   */
  public static long read(ArrowReader reader, Consumer<VectorSchemaRoot> taker) throws IOException {
    long rows = 0;
    boolean more = reader.loadNextBatch();
    do {
      taker.accept(reader.getVectorSchemaRoot());
      rows += reader.getVectorSchemaRoot().getRowCount();
      more = more && reader.loadNextBatch();
    } while (more);
    return rows;
  }

  /** Gives rows that are made here. */
  public static void make(Schema schema, Consumer<VectorSchemaRoot> taker) {
    try (BufferAllocator memory = newMemory();
        VectorSchemaRoot rows = VectorSchemaRoot.create(schema, memory)) {
      taker.accept(rows);
    }
  }

  /** Memory for vectors, to be closed after them. */
  public static BufferAllocator newMemory() {
    return MEMORY.newChildAllocator("rows", 0, Long.MAX_VALUE);
  }

  /** The same within a bound. */
  static BufferAllocator newMemory(long bytesMax) {
    return MEMORY.newChildAllocator("block", 0, bytesMax);
  }

  /** The same within a bound, for files that anybody may have made. */
  static BufferAllocator newMemoryForFiles() {
    return MEMORY.newChildAllocator("file", 0, FILE_BYTES_MAX);
  }

  /** Rows as a block. */
  public static ByteBuffer of(VectorSchemaRoot rows) {
    Bytes bytes = new Bytes(rows);
    try (ArrowStreamWriter writer = new ArrowStreamWriter(rows, null, Channels.newChannel(bytes))) {
      writer.start();
      if (rows.getRowCount() > 0) {
        writer.writeBatch();
      }
      writer.end();
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
    return bytes.buffer();
  }

  /** Bytes that are not copied in the end. */
  private static final class Bytes extends ByteArrayOutputStream {
    /** What an Arrow stream says of a column, about. */
    private static final int BYTES_PER_COLUMN = 256;

    Bytes(VectorSchemaRoot rows) {
      super(
          rows.getFieldVectors().stream()
              .mapToInt(column -> column.getBufferSize() + BYTES_PER_COLUMN)
              .sum());
    }

    ByteBuffer buffer() {
      return ByteBuffer.wrap(buf, 0, count);
    }
  }
}
