package io.uniserve.backends.duckdb;

import io.uniserve.api.RowFormat;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.arrow.ArrowRows;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.arrow.Closing;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/** The Parquet format, which DuckDB reads. */
public final class ParquetFormat implements RowFormat {
  private static final Pattern PATTERN = Pattern.compile("[*?\\[]");

  private static final int ROWS_PER_BATCH = 2_048;

  /** The settings by which DuckDB reads no other file and loads no extensions. */
  private static final String LIMITS =
      "SET threads = 1; SET memory_limit = '512MB'; SET autoinstall_known_extensions = false;"
          + " SET autoload_known_extensions = false; SET allowed_paths = ['%s'];"
          + " SET enable_external_access = false; SET lock_configuration = true";

  @Override
  public Set<String> endings() {
    return Set.of("parquet");
  }

  @Override
  public Rows open(Path file) throws IOException {
    if (PATTERN.matcher(file.toString()).find()) {
      throw UniserveException.invalid(file + ": a name with *, ? or [ is a pattern; rename it");
    }
    String name = file.toAbsolutePath().toString().replace("'", "''");
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
          closing.with(statement.executeQuery("SELECT * FROM read_parquet('" + name + "')"));
      BufferAllocator memory = closing.with(Blocks.newMemory());
      ArrowReader reader = DuckRows.reader(result, memory, ROWS_PER_BATCH);
      return new ArrowRows(file, reader, given -> (double) given / rows, closing);
    } catch (SQLException e) {
      closing.close();
      throw new UniserveException(
          ErrorCode.CORRUPT,
          file
              + " cannot be read: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
          e);
    }
  }

  private static long count(Statement statement, String name) throws SQLException {
    try (ResultSet count =
        statement.executeQuery("SELECT count(*) FROM read_parquet('" + name + "')")) {
      count.next();
      return count.getLong(1);
    }
  }
}
