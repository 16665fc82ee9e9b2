package io.uniserve.engines.warehouse;

import io.uniserve.api.UniserveException;
import java.io.ByteArrayInputStream;
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
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.types.pojo.Schema;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBResultSet;

/** Rows as Arrow streams: out of a result, into a table. */
final class Blocks {
  private static final int ROWS_PER_BLOCK = 8_192;
  private static final BufferAllocator MEMORY = new RootAllocator();

  private Blocks() {}

  /** Gives all rows of a result, in blocks; at least one, which tells the columns. */
  static void write(ResultSet result, Consumer<ByteBuffer> blocks) throws SQLException {
    read(result, rows -> blocks.accept(block(rows)));
  }

  /** Takes rows, which are others after it has returned. */
  interface Taker {
    void take(VectorSchemaRoot rows) throws IOException;
  }

  /** Gives all rows of a result as they are in memory; at least once. */
  static void read(ResultSet result, Taker taker) throws SQLException {
    try (BufferAllocator memory = MEMORY.newChildAllocator("result", 0, Long.MAX_VALUE);
        ArrowReader reader =
            (ArrowReader)
                result.unwrap(DuckDBResultSet.class).arrowExportStream(memory, ROWS_PER_BLOCK)) {
      read(reader, taker);
    } catch (IOException e) {
      throw new SQLException(e.getMessage(), e);
    }
  }

  /** Gives the rows of a block. */
  static void read(ByteBuffer block, Taker taker) {
    try (BufferAllocator memory = MEMORY.newChildAllocator("block", 0, Long.MAX_VALUE);
        ArrowReader reader = new ArrowStreamReader(stream(block), memory)) {
      read(reader, taker);
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }

  private static void read(ArrowReader reader, Taker taker) throws IOException {
    boolean more = reader.loadNextBatch();
    do {
      taker.take(reader.getVectorSchemaRoot());
      more = more && reader.loadNextBatch();
    } while (more);
  }

  /** Gives rows that are made here. */
  static void make(Schema schema, Taker taker) throws IOException {
    try (BufferAllocator memory = MEMORY.newChildAllocator("made", 0, Long.MAX_VALUE);
        VectorSchemaRoot rows = VectorSchemaRoot.create(schema, memory)) {
      taker.take(rows);
    }
  }

  private static ByteArrayInputStream stream(ByteBuffer block) {
    byte[] bytes = new byte[block.remaining()];
    block.duplicate().get(bytes);
    return new ByteArrayInputStream(bytes);
  }

  private static ByteBuffer block(VectorSchemaRoot rows) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ArrowStreamWriter writer = new ArrowStreamWriter(rows, null, Channels.newChannel(bytes))) {
      writer.start();
      if (rows.getRowCount() > 0) {
        writer.writeBatch();
      }
      writer.end();
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  /** Makes a temporary table of blocks that all have the same columns. */
  static void load(DuckDBConnection connection, String table, List<ByteBuffer> blocks)
      throws SQLException {
    String name = '"' + table.replace("\"", "\"\"") + '"';
    for (int i = 0; i < blocks.size(); i++) {
      load(
          connection,
          blocks.get(i),
          (i == 0 ? "CREATE TEMP TABLE " + name + " AS " : "INSERT INTO " + name) + " FROM block_");
    }
  }

  private static void load(DuckDBConnection connection, ByteBuffer block, String sql)
      throws SQLException {
    try (BufferAllocator memory = MEMORY.newChildAllocator("block", 0, Long.MAX_VALUE);
        ArrowReader reader = new ArrowStreamReader(stream(block), memory);
        ArrowArrayStream stream = ArrowArrayStream.allocateNew(memory);
        Statement statement = connection.createStatement()) {
      Data.exportArrayStream(memory, reader, stream);
      connection.registerArrowStream("block_", stream);
      statement.execute(sql);
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }
}
