package io.uniserve.bench.tpch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import nl.cwi.monetdb.jdbc.MonetDriver;

/**
 * The program of the process with MonetDBLite, the papers' engine (DPA §6): one database in memory,
 * queried through its JDBC driver.
 */
public final class MonetProgram {
  /**
   * The type of texts. MonetDBLite has no texts without a limit, and TPC-H's longest have 199
   * characters.
   */
  private static final String TEXT = "varchar(199)";

  private static final String URL = "jdbc:monetdb:embedded::memory:";

  private MonetProgram() {}

  /**
   * @param arguments those of {@link SqlProgram.Task}
   */
  public static void main(String[] arguments) throws SQLException, IOException {
    SqlProgram program = new SqlProgram();
    SqlProgram.Task task = SqlProgram.Task.of(arguments);
    try (Connection connection = new MonetDriver().connect(URL, new Properties());
        Statement statement = connection.createStatement()) {
      program.run(() -> load(task, statement), sql -> rows(connection, sql));
    }
  }

  /** Loads the data. MonetDBLite reads no Parquet, so DuckDB writes text lines for it. */
  private static long load(SqlProgram.Task task, Statement statement)
      throws SQLException, IOException {
    long rows = 0;
    for (String table : task.tables().names()) {
      Path lines = task.directory().resolve(table + ".tbl");
      statement.execute(task.tables().definition(table).replace("varchar", TEXT));
      rows += write(task, table, lines);
      statement.execute(
          "COPY INTO %s FROM '%s' USING DELIMITERS '|', '\\n'".formatted(table, lines));
      Files.delete(lines);
    }
    return rows;
  }

  private static long write(SqlProgram.Task task, String table, Path lines) throws SQLException {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement()) {
      return statement.executeUpdate(
          "COPY (%s) TO '%s' (FORMAT csv, DELIMITER '|', HEADER false, QUOTE '', ESCAPE '')"
              .formatted(task.tables().reading(table, task.files().file(table)), lines));
    }
  }

  /**
   * Returns the rows of an answer in the driver's text form. The driver's date objects have
   * different values.
   */
  private static List<List<String>> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int columns = result.getMetaData().getColumnCount();
      List<List<String>> rows = new ArrayList<>();
      while (result.next()) {
        List<String> row = new ArrayList<>(columns);
        for (int i = 1; i <= columns; i++) {
          row.add(SqlProgram.text(result.getString(i)));
        }
        rows.add(row);
      }
      return rows;
    }
  }
}
