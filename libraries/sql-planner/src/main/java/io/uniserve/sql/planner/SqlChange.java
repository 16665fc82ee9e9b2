package io.uniserve.sql.planner;

import io.uniserve.sql.syntax.SqlTable;
import java.util.List;

/** What INSERT, UPDATE or DELETE does to one table. */
public sealed interface SqlChange {
  /** The table that is changed. */
  SqlTable table();

  /**
   * Adds rows.
   *
   * @param table the table
   * @param columns of the rows; the others are null
   * @param rows gives them
   */
  record Insert(SqlTable table, List<String> columns, DistributedQuery rows) implements SqlChange {
    /** Copies the columns. */
    public Insert {
      columns = List.copyOf(columns);
    }
  }

  /**
   * Changes or deletes rows where they are. What it does depends on nothing but the rows of its
   * table in the same actor.
   *
   * @param table the table
   * @param sql a statement for each actor, in its SQL
   */
  record Rewrite(SqlTable table, String sql) implements SqlChange {}
}
