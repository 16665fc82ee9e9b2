package io.uniserve.engines.warehouse;

import io.uniserve.api.RejectedRowException;
import io.uniserve.sqlplanner.SqlColumn;
import io.uniserve.sqlplanner.SqlTable;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/** What one update does to one database, within a transaction. */
final class Change {
  private static final String STAGED = "staged_";

  /** No table of a schema begins so. */
  private static final String REWRITTEN = quoted("#rewritten");

  /** How many statements' counts are kept. */
  private static final int REWRITTEN_MAX = 1_000;

  private final WarehouseSchema schema;
  private final DuckDBConnection connection;

  Change(WarehouseSchema schema, DuckDBConnection connection) {
    this.schema = schema;
    this.connection = connection;
  }

  /** Inserts rows in their order; of those with one primary key the last remains. */
  void put(List<Row> rows) throws SQLException {
    Map<String, List<Row>> byTable = new LinkedHashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      check(i, rows.get(i));
      byTable.computeIfAbsent(rows.get(i).table(), name -> new ArrayList<>()).add(rows.get(i));
    }
    for (Map.Entry<String, List<Row>> some : byTable.entrySet()) {
      put(schema.table(some.getKey()), some.getValue());
    }
  }

  /** Runs a statement, and keeps how many rows it changed for a while. */
  void rewrite(String name, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      long rows = statement.executeUpdate(sql);
      statement.execute(
          "CREATE TABLE IF NOT EXISTS "
              + REWRITTEN
              + " (place BIGINT, name VARCHAR, changed BIGINT)");
      statement.execute(
          "INSERT INTO %s SELECT coalesce(max(place), 0) + 1, %s, %d FROM %s"
              .formatted(REWRITTEN, text(name), rows, REWRITTEN));
      statement.execute(
          "DELETE FROM %s WHERE place <= (SELECT max(place) FROM %s) - %d"
              .formatted(REWRITTEN, REWRITTEN, REWRITTEN_MAX));
    }
  }

  /** A query for how many rows a statement changed. */
  static String countOf(String name) {
    return "SELECT changed FROM " + REWRITTEN + " WHERE name = " + text(name);
  }

  private static String text(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  private void check(int index, Row row) {
    List<SqlColumn> columns = schema.table(row.table()).columns();
    if (row.values().size() != columns.size()) {
      throw new RejectedRowException(
          index,
          "table '"
              + row.table()
              + "' has "
              + columns.size()
              + " columns, the row "
              + row.values().size());
    }
    for (int i = 0; i < columns.size(); i++) {
      if (!columns.get(i).nullable() && row.values().get(i) == null) {
        throw new RejectedRowException(
            index, "column '" + columns.get(i).name() + "' lacks a value");
      }
    }
  }

  private void put(SqlTable table, List<Row> rows) throws SQLException {
    if (table.primaryKey().isEmpty()) {
      append(table, null, table.name(), rows);
      return;
    }
    Map<List<Object>, Row> last = new LinkedHashMap<>();
    for (Row row : rows) {
      last.put(
          table.primaryKey().stream().map(name -> row.values().get(table.indexOf(name))).toList(),
          row);
    }
    String same =
        table.primaryKey().stream()
            .map(name -> "old." + quoted(name) + " = new." + quoted(name))
            .collect(Collectors.joining(" AND "));
    execute("CREATE TEMP TABLE " + STAGED + " AS FROM " + quoted(table.name()) + " LIMIT 0");
    append(table, "temp", STAGED, last.values());
    execute("DELETE FROM " + quoted(table.name()) + " old USING " + STAGED + " new WHERE " + same);
    execute("INSERT INTO " + quoted(table.name()) + " FROM " + STAGED);
    execute("DROP TABLE " + STAGED);
  }

  private void append(SqlTable table, String database, String name, Iterable<Row> rows)
      throws SQLException {
    try (DuckDBAppender appender = connection.createAppender(database, "main", name)) {
      for (Row row : rows) {
        appender.beginRow();
        for (int i = 0; i < table.columns().size(); i++) {
          Value.append(table.columns().get(i).type(), row.values().get(i), appender);
        }
        appender.endRow();
      }
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static String quoted(String name) {
    return '"' + name + '"';
  }
}
