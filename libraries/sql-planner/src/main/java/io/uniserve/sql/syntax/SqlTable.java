package io.uniserve.sql.syntax;

import java.util.List;

/**
 * A SQL table.
 *
 * @param name its name, in lower case
 * @param stored its name in the databases, which no other table has or has had; so a plan for a
 *     table that is gone never reads another one of the same name
 * @param columns its columns, in order
 * @param partitionBy the columns whose values decide which database holds a row; none if every
 *     database holds all rows. Two tables with the same number of such columns, of the same kinds,
 *     are co-located: equal values are in the same database
 * @param primaryKey the columns that identify a row; none if there are no such columns
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

  /** Returns whether every database holds all rows. */
  public boolean replicated() {
    return partitionBy.isEmpty();
  }

  /** Returns the place of a column, or -1. */
  public int indexOf(String column) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(column)) {
        return i;
      }
    }
    return -1;
  }

  /** Returns the places of columns, which the table must have. */
  public List<Integer> indexesOf(List<String> names) {
    return names.stream().map(this::indexOf).toList();
  }
}
