package io.uniserve.duckdb;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/**
 * One DuckDB database: in a file, or in memory alone. It reads no other files and loads nothing.
 */
final class Database implements AutoCloseable {
  private static final String LIMITS =
      "SET threads = 1; SET memory_limit = '%dMB'; SET autoinstall_known_extensions = false;"
          + " SET autoload_known_extensions = false; SET enable_external_access = false;"
          + " SET TimeZone = 'UTC'; SET lock_configuration = true";

  /** What was planned names tables that there were: one that lacks now is gone. */
  private static final Pattern GONE =
      Pattern.compile("Catalog Error: Table with name ([a-z0-9_]+)(#\\d+)? does not exist");

  private final DuckDBConnection first;

  private Database(DuckDBConnection first) {
    this.first = first;
  }

  /** Opens, or creates, the database of a file. */
  static Database inFile(Path file, int memoryMegabytes) throws IOException {
    try {
      return open("jdbc:duckdb:" + file.toAbsolutePath(), memoryMegabytes);
    } catch (SQLException e) {
      throw new IOException(file + " cannot be opened: " + e.getMessage(), e);
    }
  }

  /** An empty database that lives until it is closed. */
  static Database inMemory(int memoryMegabytes) {
    try {
      return open("jdbc:duckdb:", memoryMegabytes);
    } catch (SQLException e) {
      throw failure("a database cannot be opened", e);
    }
  }

  private static Database open(String url, int memoryMegabytes) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
    DuckDBConnection connection =
        new DuckDBDriver().connect(url, properties).unwrap(DuckDBConnection.class);
    try (Statement statement = connection.createStatement()) {
      statement.execute(LIMITS.formatted(memoryMegabytes));
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
    String message = String.valueOf(e.getMessage());
    Matcher gone = GONE.matcher(message);
    if (gone.find()) {
      return new UniserveException(
          ErrorCode.NOT_FOUND,
          what + ": table '" + gone.group(1) + "' was dropped, or made anew, meanwhile",
          e);
    }
    ErrorCode code =
        message.contains("Out of Memory") || message.contains("No space left")
            ? ErrorCode.EXHAUSTED
            : message.contains("INTERRUPT")
                ? ErrorCode.CANCELLED
                : message.matches(
                        "(?s).*(Conversion|Out of Range|Invalid Input|Constraint) Error.*")
                    ? ErrorCode.INVALID_ARGUMENT
                    : ErrorCode.INTERNAL;
    return new UniserveException(code, what + ": " + message.lines().findFirst().orElse(""), e);
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
