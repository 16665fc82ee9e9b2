package io.uniserve.duckdb;

import io.uniserve.api.UniserveException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/**
 * One DuckDB database: in a file, or in memory alone. It reads no other files and loads nothing.
 */
final class Database implements AutoCloseable {
  private static final String LIMITS =
      "SET threads = 1; SET memory_limit = '%dMB'; SET autoinstall_known_extensions = false;"
          + " SET autoload_known_extensions = false; SET errors_as_json = true;"
          + " SET TimeZone = 'UTC'; %s SET enable_external_access = false;"
          + " SET lock_configuration = true";

  private final DuckDBConnection first;

  private Database(DuckDBConnection first) {
    this.first = first;
  }

  /** Opens, or creates, the database of a file. */
  static Database inFile(Path file, int memoryMegabytes) throws IOException {
    try {
      return open("jdbc:duckdb:" + file.toAbsolutePath(), memoryMegabytes, "");
    } catch (SQLException e) {
      throw new IOException(file + " cannot be opened: " + e.getMessage(), e);
    }
  }

  /**
   * An empty database that lives until it is closed.
   *
   * @param memoryMegabytes what it holds, and half of what it writes to the directory for temporary
   *     files beyond that
   */
  static Database inMemory(int memoryMegabytes) {
    String directory =
        Path.of(
                System.getProperty("java.io.tmpdir"),
                "uniserve-sql-" + ProcessHandle.current().pid())
            .toString()
            .replace("'", "''");
    try {
      return open(
          "jdbc:duckdb:",
          memoryMegabytes,
          "SET temp_directory = '%s'; SET max_temp_directory_size = '%dMB';"
              .formatted(directory, 2 * memoryMegabytes));
    } catch (SQLException e) {
      throw failure("a database cannot be opened", e);
    }
  }

  private static Database open(String url, int memoryMegabytes, String settings)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
    DuckDBConnection connection =
        new DuckDBDriver().connect(url, properties).unwrap(DuckDBConnection.class);
    try (Statement statement = connection.createStatement()) {
      statement.execute(LIMITS.formatted(memoryMegabytes, settings));
      return new Database(connection);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Another connection, with transactions and temporary tables of its own. */
  DuckDBConnection connect() throws SQLException {
    return first.duplicate();
  }

  /** What DuckDB reports, as our error: its message says whose it is. */
  static UniserveException failure(String what, SQLException e) {
    return DuckFailure.of(e).ofOurs(what, e);
  }

  @Override
  public void close() {
    try {
      first.close();
    } catch (SQLException e) {
      throw failure("a database cannot be closed", e);
    }
  }
}
