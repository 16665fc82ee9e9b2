package io.uniserve.backends.duckdb;

import io.uniserve.api.RowFormat;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.arrow.ArrowRows;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.arrow.Closing;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/** The Parquet format, which DuckDB reads and writes. */
public final class ParquetFormat implements RowFormat {
  private static final Pattern PATTERN = Pattern.compile("[*?\\[]");

  private static final int ROWS_PER_BATCH = 2_048;

  /** The largest document that can be written, in bytes of JSON. */
  private static final int DOCUMENT_BYTES_MAX = 16 << 20;

  /** The settings by which DuckDB reads no other file and loads no extensions. */
  private static final String LIMITS =
      "SET threads = 1; SET memory_limit = '512MB'; SET autoinstall_known_extensions = false;"
          + " SET autoload_known_extensions = false; SET allowed_paths = [%s];"
          + " SET enable_external_access = false; SET lock_configuration = true";

  @Override
  public Set<String> endings() {
    return Set.of("parquet");
  }

  @Override
  public Rows open(Path file) throws IOException {
    String name = literal(file);
    Properties properties = new Properties();
    properties.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
    Closing closing = new Closing();
    try {
      DuckDBConnection connection =
          closing.with(
              new DuckDBDriver()
                  .connect("jdbc:duckdb:", properties)
                  .unwrap(DuckDBConnection.class));
      Statement statement = closing.with(connection.createStatement());
      statement.execute(LIMITS.formatted(name));
      long rows = count(statement, name);
      ResultSet result =
          closing.with(statement.executeQuery("SELECT * FROM read_parquet(" + name + ")"));
      BufferAllocator memory = closing.with(Blocks.newMemory());
      ArrowReader reader = DuckRows.reader(result, memory, ROWS_PER_BATCH);
      return new ArrowRows(file, reader, given -> (double) given / rows, closing);
    } catch (SQLException e) {
      closing.close();
      throw new UniserveException(ErrorCode.CORRUPT, file + " cannot be read: " + reason(e), e);
    }
  }

  /** Returns the name of a file in SQL. */
  private static String literal(Path file) {
    if (PATTERN.matcher(file.toString()).find()) {
      throw UniserveException.invalid(file + ": a name with *, ? or [ is a pattern; rename it");
    }
    return quoted(file.toAbsolutePath().toString());
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  private static String reason(SQLException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  @Override
  public boolean writes() {
    return true;
  }

  /** Writes a file in row groups of bounded size, so that memory is bounded, too. */
  @Override
  public void write(Path lines, List<Column> columns, Path file) {
    String from = literal(lines);
    String to = literal(file);
    String typed =
        columns.stream()
            .map(column -> quoted(column.name()) + ": " + quoted(column.type()))
            .collect(Collectors.joining(", ", "{", "}"));
    try (Connection connection = new DuckDBDriver().connect("jdbc:duckdb:", new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute("SET preserve_insertion_order = false");
      statement.execute(LIMITS.formatted(from + ", " + to));
      statement.execute(
          "COPY (SELECT * FROM read_json("
              + from
              + ", format = 'newline_delimited', columns = "
              + typed
              + ", maximum_object_size = "
              + DOCUMENT_BYTES_MAX
              + ")) TO "
              + to
              + " (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE_BYTES '64MB', USE_TMP_FILE false)");
    } catch (SQLException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT, file + " cannot be written: " + reason(e), e);
    }
  }

  private static long count(Statement statement, String name) throws SQLException {
    try (ResultSet count =
        statement.executeQuery("SELECT count(*) FROM read_parquet(" + name + ")")) {
      count.next();
      return count.getLong(1);
    }
  }
}
