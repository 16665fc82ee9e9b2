package io.uniserve.node.flight;

import io.uniserve.node.rpc.RpcService;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The Flight SQL JDBC driver, as tests use it. */
final class Jdbc {
  private Jdbc() {}

  static Connection connect(RpcService to, String options) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:arrow-flight-sql://localhost:" + to.port() + "/?" + options);
  }

  /** Returns all rows, and closes the result. */
  static List<List<Object>> rows(ResultSet result) throws SQLException {
    try (result) {
      List<List<Object>> rows = new ArrayList<>();
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getObject(i));
        }
        rows.add(row);
      }
      return rows;
    }
  }
}
