package io.uniserve.engines.warehouse.fuzz;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A table and its rows.
 *
 * @param primaryKey names of columns; none if nothing tells rows from each other
 * @param rows values as SQL writes them
 */
record Table(String name, List<Column> columns, List<String> primaryKey, List<List<String>> rows) {
  /**
   * A column.
   *
   * @param nullable true if a row may lack a value
   */
  record Column(String name, Type type, boolean nullable) {
    String sql() {
      return quoted(name) + " " + type.sql() + (nullable ? "" : " not null");
    }
  }

  /** The statement that makes it, but for how it is spread. */
  String create() {
    String columnsSql = columns.stream().map(Column::sql).collect(Collectors.joining(", "));
    String key =
        primaryKey.isEmpty()
            ? ""
            : primaryKey.stream()
                .map(Table::quoted)
                .collect(Collectors.joining(", ", ", primary key (", ")"));
    return "create table " + quoted(name) + " (" + columnsSql + key + ")";
  }

  /** The statement that fills it; none if it is empty. */
  List<String> insert() {
    return rows.isEmpty()
        ? List.of()
        : List.of(
            "insert into %s values %s"
                .formatted(
                    quoted(name),
                    rows.stream()
                        .map(row -> "(" + String.join(", ", row) + ")")
                        .collect(Collectors.joining(", "))));
  }

  Table withRows(List<List<String>> others) {
    return new Table(name, columns, primaryKey, List.copyOf(others));
  }

  /** A name that may be a word of SQL. */
  static String quoted(String name) {
    return Names.RESERVED.contains(name) ? '"' + name + '"' : name;
  }
}
