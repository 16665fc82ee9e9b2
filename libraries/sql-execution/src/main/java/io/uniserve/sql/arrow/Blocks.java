package io.uniserve.sql.arrow;

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

/** Rows in Arrow's stream format. */
public final class Blocks {
  /** The most rows of a block. */
  public static final int ROWS_PER_BLOCK = 8_192;

  private static final long FILE_BYTES_MAX = 512L << 20;

  private static final BufferAllocator MEMORY = new RootAllocator();

  private Blocks() {}

  /**
   * Passes the rows of a block to a taker, some at a time, at least once.
   *
   * @return the number of rows
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
   * Passes all rows of a reader to a taker, some at a time. It calls the taker at least once, which
   * shows the columns. The rows are overwritten or freed after the taker returns.
   *
   * @return the number of rows
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

  /** Makes empty rows and passes them to a taker, which may fill them. */
  public static void make(Schema schema, Consumer<VectorSchemaRoot> taker) {
    try (BufferAllocator memory = newMemory();
        VectorSchemaRoot rows = VectorSchemaRoot.create(schema, memory)) {
      taker.accept(rows);
    }
  }

  /** Returns an allocator of memory for vectors, which must be closed after them. */
  public static BufferAllocator newMemory() {
    return MEMORY.newChildAllocator("rows", 0, Long.MAX_VALUE);
  }

  /** Returns such an allocator with a bound. */
  static BufferAllocator newMemory(long bytesMax) {
    return MEMORY.newChildAllocator("block", 0, bytesMax);
  }

  /** Returns such an allocator with a bound, for files from anybody. */
  static BufferAllocator newMemoryForFiles() {
    return MEMORY.newChildAllocator("file", 0, FILE_BYTES_MAX);
  }

  /** Writes rows as a block. */
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

  /** A stream of bytes whose result is not copied. */
  private static final class Bytes extends ByteArrayOutputStream {
    /** The estimated size of a column's description in an Arrow stream. */
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
