package io.uniserve.backends.duckdb;

import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/**
 * A DuckDB database, in a file or in memory alone. It reads no other files and loads no extensions.
 */
final class Database implements AutoCloseable {
  private static final String LIMITS =
      "SET threads = 1; SET memory_limit = '%dMiB'; SET autoinstall_known_extensions = false;"
          + " SET autoload_known_extensions = false; SET errors_as_json = true;"
          + " SET TimeZone = 'UTC'; %s SET enable_external_access = false";

  private static final String LOCK = "SET lock_configuration = true";

  private static final System.Logger LOG = System.getLogger(Database.class.getName());

  private final DuckDBConnection first;

  private Database(DuckDBConnection first) {
    this.first = first;
  }

  /**
   * Opens, or creates, the database of a file. Its memory limit can be changed, since all of its
   * statements are made here.
   */
  static Database inFile(Path file, int memoryMegabytes) throws IOException {
    try {
      return open("jdbc:duckdb:" + file.toAbsolutePath(), memoryMegabytes, "", "");
    } catch (SQLException e) {
      throw new IOException(file + " cannot be opened: " + e.getMessage(), e);
    }
  }

  /**
   * Opens an empty database that lives until it is closed.
   *
   * @param memoryMegabytes its memory limit in MiB; its temporary files may take twice as much
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
              .formatted(directory, 2 * memoryMegabytes),
          LOCK);
    } catch (SQLException e) {
      throw failure("a database cannot be opened", e);
    }
  }

  private static Database open(String url, int memoryMegabytes, String settings, String last)
      throws SQLException {
    Properties properties = new Properties();
    properties.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
    DuckDBConnection connection =
        new DuckDBDriver().connect(url, properties).unwrap(DuckDBConnection.class);
    try (Statement statement = connection.createStatement()) {
      statement.execute(LIMITS.formatted(memoryMegabytes, settings));
      ValueRoom.register(connection);
      ValueBounds.make(statement);
      if (!last.isEmpty()) {
        statement.execute(last);
      }
      return new Database(connection);
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Opens another connection, with transactions and temporary tables of its own. */
  DuckDBConnection connect() throws SQLException {
    return first.duplicate();
  }

  /** Sets the memory limit in MiB; returns false if the database holds more and cannot free it. */
  boolean limit(long megabytes) {
    try (Statement statement = first.createStatement()) {
      statement.execute("SET memory_limit = '" + megabytes + "MiB'");
      return true;
    } catch (SQLException e) {
      LOG.log(System.Logger.Level.DEBUG, "a database keeps its memory", e);
      return false;
    }
  }

  /** Converts an error of DuckDB, whose message shows the responsible party. */
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
