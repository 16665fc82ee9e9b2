package io.uniserve.engines.warehouse.fuzz;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** One DuckDB that has all the data. */
final class Oracle implements AutoCloseable {
  private final Connection connection;

  Oracle() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    execute("set threads = 1");
  }

  /** Runs what must succeed. */
  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Changes rows unless {@link #undo} follows: how many, or why not. */
  Outcome change(String sql) throws SQLException {
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      return new Outcome.Rows(List.of(String.valueOf(statement.executeUpdate(sql))));
    } catch (SQLException e) {
      return Failures.isOfData(e.getMessage())
          ? new Outcome.Failed(e.getMessage())
          : new Outcome.Refused(e.getMessage(), false);
    }
  }

  /** Makes the last change last. */
  void keep() throws SQLException {
    connection.commit();
    connection.setAutoCommit(true);
  }

  /** Forgets the last change. */
  void undo() throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
  }

  /** The rows of a table, as SQL writes them. */
  List<List<String>> rows(Table table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("from " + Table.quoted(table.name()))) {
      List<List<String>> rows = new ArrayList<>();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= table.columns().size(); i++) {
          row.add(Values.written(table.columns().get(i - 1).type(), result.getObject(i)));
        }
        rows.add(row);
      }
      return rows;
    }
  }

  Outcome run(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      int width = result.getMetaData().getColumnCount();
      List<String> rows = new ArrayList<>();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= width; i++) {
          row.add(Cells.text(result.getObject(i)));
        }
        rows.add(String.join(" | ", row));
      }
      return new Outcome.Rows(rows);
    } catch (SQLException e) {
      return Failures.isOfData(e.getMessage())
          ? new Outcome.Failed(e.getMessage())
          : new Outcome.Refused(e.getMessage(), false);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
