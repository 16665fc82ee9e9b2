package io.uniserve.engines.warehouse;

import io.uniserve.sqlplanner.SqlColumn;
import io.uniserve.sqlplanner.SqlTable;
import io.uniserve.sqlplanner.TableSize;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.duckdb.DuckDBConnection;

/** How large the tables of one database are, as DuckDB has counted it already. */
final class Sizes {
  private static final Pattern DISTINCT = Pattern.compile("\\[Approx Unique: (\\d+)]");

  private Sizes() {}

  static Map<String, TableSize> of(WarehouseSchema schema, DuckDBConnection connection)
      throws SQLException {
    Map<String, Long> rows = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet tables =
            statement.executeQuery("SELECT table_name, estimated_size FROM duckdb_tables()")) {
      while (tables.next()) {
        rows.put(tables.getString(1), tables.getLong(2));
      }
    }
    Map<String, TableSize> sizes = new LinkedHashMap<>();
    for (SqlTable table : schema.tables().values()) {
      sizes.put(
          table.stored(), new TableSize(rows.get(table.stored()), distinct(table, connection)));
    }
    return sizes;
  }

  private static Map<String, Long> distinct(SqlTable table, DuckDBConnection connection)
      throws SQLException {
    String columns =
        table.columns().stream()
            .map(column -> "stats(" + Change.quoted(column.name()) + ")")
            .collect(Collectors.joining(", "));
    Map<String, Long> distinct = new LinkedHashMap<>();
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT " + columns + " FROM " + Change.quoted(table.stored()) + " LIMIT 1")) {
      while (row.next()) {
        int place = 1;
        for (SqlColumn column : table.columns()) {
          Matcher told = DISTINCT.matcher(row.getString(place++));
          if (told.find()) {
            distinct.put(column.name(), Long.parseLong(told.group(1)));
          }
        }
      }
    }
    return distinct;
  }
}
