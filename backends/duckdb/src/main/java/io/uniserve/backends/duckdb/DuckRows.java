package io.uniserve.backends.duckdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.arrow.ArrowStreams;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.arrow.BlocksReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.Field;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBResultSet;

/** The transfer of rows between DuckDB and Arrow: out of a result and into a table. */
final class DuckRows {
  /** The prefix of the names under which statements read blocks. */
  private static final String GIVEN = "block_";

  private static final Pattern MESSAGE = Pattern.compile("(?s).*\\{.*?message=(.*)\\}");

  private DuckRows() {}

  /** Passes the rows of a result to a taker, as {@link Blocks#read} does. */
  static long read(ResultSet result, Consumer<VectorSchemaRoot> taker) throws SQLException {
    try (BufferAllocator memory = Blocks.newMemory();
        ArrowReader reader = reader(result, memory, Blocks.ROWS_PER_BLOCK)) {
      return Blocks.read(reader, taker);
    } catch (IOException e) {
      throw new SQLException(reason(e), e);
    }
  }

  /** Returns DuckDB's message without the name and the number that the driver adds. */
  private static String reason(IOException e) {
    Matcher message = MESSAGE.matcher(String.valueOf(e.getMessage()));
    return message.matches() ? message.group(1) : e.getMessage();
  }

  /**
   * Returns the same rows.
   *
   * @throws UniserveException naming a column that is encoded by a dictionary
   */
  static VectorSchemaRoot plain(VectorSchemaRoot rows) {
    for (Field field : rows.getSchema().getFields()) {
      if (isNumbered(field)) {
        throw new UniserveException(
            ErrorCode.UNSUPPORTED,
            "SQL: column '" + field.getName() + "' is an ENUM; write CAST(... AS VARCHAR)");
      }
    }
    return rows;
  }

  private static boolean isNumbered(Field field) {
    return field.getDictionary() != null
        || field.getChildren().stream().anyMatch(DuckRows::isNumbered);
  }

  /**
   * Returns a reader that gives a number of rows at a time. It must be closed before the result.
   */
  static ArrowReader reader(ResultSet result, BufferAllocator memory, int rows)
      throws SQLException {
    return (ArrowReader) result.unwrap(DuckDBResultSet.class).arrowExportStream(memory, rows);
  }

  /** Creates a temporary table from blocks with the same columns. */
  static void load(DuckDBConnection connection, String table, List<ByteBuffer> blocks)
      throws SQLException {
    execute(connection, "CREATE TEMP TABLE " + quoted(table) + " AS FROM " + GIVEN, blocks);
  }

  /**
   * Adds blocks to a table.
   *
   * @param check receives the columns of each block before any row is added
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

  /** Quotes a name for SQL. */
  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private static void execute(DuckDBConnection connection, String sql, List<ByteBuffer> blocks)
      throws SQLException {
    try (BufferAllocator memory = Blocks.newMemory();
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
