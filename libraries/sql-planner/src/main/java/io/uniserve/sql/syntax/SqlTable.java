package io.uniserve.sql.syntax;

import java.util.List;

/**
 * A table of SQL.
 *
 * @param name its name, in lower case
 * @param stored its name in the databases that hold its rows, which no other table has, or had
 *     before: so what was made for a table that is gone reads no other of the same name
 * @param columns in order
 * @param partitionBy the columns whose values decide which database holds a row; none if every one
 *     holds all rows. Two tables with as many such columns of the same kinds are co-located: equal
 *     values lie in the same database
 * @param primaryKey the columns that tell rows from each other; none if nothing does
 */
public record SqlTable(
    String name,
    String stored,
    List<SqlColumn> columns,
    List<String> partitionBy,
    List<String> primaryKey) {
  /** Copies the lists. */
  public SqlTable {
    columns = List.copyOf(columns);
    partitionBy = List.copyOf(partitionBy);
    primaryKey = List.copyOf(primaryKey);
  }

  /** Whether every database holds all rows. */
  public boolean replicated() {
    return partitionBy.isEmpty();
  }

  /** The place of a column, or -1. */
  public int indexOf(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return i;
      }
    }
    return -1;
  }

  /** The places of columns that the table has. */
  public List<Integer> indexesOf(List<String> names) {
    return names.stream().map(this::indexOf).toList();
  }
}
