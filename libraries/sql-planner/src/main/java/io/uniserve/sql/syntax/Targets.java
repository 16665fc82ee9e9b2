package io.uniserve.sql.syntax;

import io.uniserve.api.error.UniserveException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/** The targets of INSERT, UPDATE and DELETE: a table, and its columns that get values. */
public final class Targets {
  private Targets() {}

  /**
   * Returns the table of a name, regardless of case.
   *
   * @throws UniserveException if there is none
   */
  public static SqlTable table(List<SqlTable> tables, SqlNode name) {
    String wanted = String.join(".", ((SqlIdentifier) name).names);
    return tables.stream()
        .filter(table -> table.name().equalsIgnoreCase(wanted))
        .findFirst()
        .orElseThrow(() -> UniserveException.invalid("SQL: Object '" + wanted + "' not found"));
  }

  /**
   * Returns the columns of some names.
   *
   * @throws UniserveException if a column does not exist, or is named twice
   */
  public static List<String> columns(SqlTable table, SqlNodeList names) {
    List<String> columns = new ArrayList<>();
    for (SqlNode name : names) {
      String column = ((SqlIdentifier) name).names.getLast();
      if (table.indexOf(column) < 0 || columns.contains(column)) {
        throw UniserveException.invalid(
            "SQL: Column '" + column + "' " + (columns.contains(column) ? "twice" : "not found"));
      }
      columns.add(column);
    }
    return columns;
  }
}
