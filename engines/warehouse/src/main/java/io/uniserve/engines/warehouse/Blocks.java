package io.uniserve.engines.warehouse;

import io.uniserve.api.UniserveException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBResultSet;

/** Rows as Arrow streams: out of a result, into a table. */
public final class Blocks {
  /** Rows that travel together. */
  public static final int ROWS_PER_BLOCK = 8_192;

  private static final long FILE_BYTES_MAX = 512L << 20;

  /** How statements call the blocks that come with them. */
  private static final String GIVEN = "block_";

  private static final BufferAllocator MEMORY = new RootAllocator();

  private Blocks() {}

  /**
   * Gives all rows of a result, some at a time; at least once, which tells the columns. They are
   * others, or freed, after the taker has returned.
   *
   * @return how many rows
   */
  static long read(ResultSet result, Consumer<VectorSchemaRoot> taker) throws SQLException {
    try (BufferAllocator memory = newMemory();
        ArrowReader reader =
            (ArrowReader)
                result.unwrap(DuckDBResultSet.class).arrowExportStream(memory, ROWS_PER_BLOCK)) {
      return read(reader, taker);
    } catch (IOException e) {
      throw new SQLException(e.getMessage(), e);
    }
  }

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

  private static long read(ArrowReader reader, Consumer<VectorSchemaRoot> taker)
      throws IOException {
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
  static BufferAllocator newMemory() {
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
  static ByteBuffer of(VectorSchemaRoot rows) {
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

  /** Makes a temporary table of blocks that all have the same columns. */
  static void load(DuckDBConnection connection, String table, List<ByteBuffer> blocks)
      throws SQLException {
    execute(connection, "CREATE TEMP TABLE " + quoted(table) + " AS FROM " + GIVEN, blocks);
  }

  /**
   * Adds blocks to a table.
   *
   * @param check is given the columns of each block before any row is added
   */
  static void insert(
      DuckDBConnection connection,
      String table,
      List<ByteBuffer> blocks,
      Consumer<VectorSchemaRoot> check)
      throws SQLException {
    for (ByteBuffer block : blocks) {
      ArrowStreams.check(block, check);
    }
    execute(connection, "INSERT INTO " + quoted(table) + " FROM " + GIVEN, blocks);
  }

  private static String quoted(String table) {
    return '"' + table.replace("\"", "\"\"") + '"';
  }

  private static void execute(DuckDBConnection connection, String sql, List<ByteBuffer> blocks)
      throws SQLException {
    try (BufferAllocator memory = newMemory();
        ArrowReader reader = new BlocksReader(blocks, memory);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(memory);
        Statement statement = connection.createStatement()) {
      Data.exportArrayStream(memory, reader, stream);
      connection.registerArrowStream(GIVEN, stream);
      statement.execute(sql);
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }
}
