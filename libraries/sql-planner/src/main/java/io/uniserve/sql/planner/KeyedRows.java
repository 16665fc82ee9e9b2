package io.uniserve.sql.planner;

import io.uniserve.sql.syntax.SqlType;
import java.util.List;

/**
 * The rows that a query passes on of one table, together with the keys that they have there, so
 * that they can be read page by page.
 *
 * @param table the table's stored name
 * @param sql the statement of an actor; its columns are those of the query, then those of the keys
 * @param width the number of the query's columns
 * @param key the columns of the primary key
 * @param partitionBy the places of the columns that decide which actor has a row
 */
public record KeyedRows(
    String table, String sql, int width, List<Key> key, List<Integer> partitionBy) {
  /**
   * A column of the primary key.
   *
   * @param index its place among the statement's columns
   * @param type its type
   */
  public record Key(int index, SqlType type) {}

  /** Copies the lists. */
  public KeyedRows {
    key = List.copyOf(key);
    partitionBy = List.copyOf(partitionBy);
  }
}
