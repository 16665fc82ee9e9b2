package io.uniserve.bench.tpch;

import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The program of the process with one DuckDB database in a file, as each actor has one. */
public final class DuckProgram {
  private static final int THREADS = 2;

  /** The memory of the database, as much as the databases of four actors have together. */
  private static final int MEMORY_MEGABYTES = 4_096;

  private DuckProgram() {}

  /**
   * @param arguments those of {@link SqlProgram.Task}
   */
  public static void main(String[] arguments) throws SQLException, IOException {
    SqlProgram program = new SqlProgram();
    SqlProgram.Task task = SqlProgram.Task.of(arguments);
    try (Connection connection =
            DriverManager.getConnection("jdbc:duckdb:" + task.directory().resolve("tpch.duckdb"));
        Statement statement = connection.createStatement()) {
      statement.execute("SET threads = " + THREADS);
      statement.execute("SET memory_limit = '" + MEMORY_MEGABYTES + "MB'");
      program.run(() -> load(task, statement), sql -> rows(connection, sql));
    }
  }

  /** Returns the rows of an answer. A statement that fails is closed. */
  private static List<List<String>> rows(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      return SqlProgram.texts(result);
    }
  }

  private static long load(SqlProgram.Task task, Statement statement) throws SQLException {
    long rows = 0;
    for (String table : task.tables().names()) {
      statement.execute(task.tables().definition(table));
      rows +=
          statement.executeUpdate(
              "INSERT INTO %s %s"
                  .formatted(table, task.tables().reading(table, task.files().file(table))));
    }
    statement.execute("CHECKPOINT");
    return rows;
  }
}
