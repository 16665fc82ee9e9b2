package io.uniserve.sql.planner;

import io.uniserve.sql.syntax.SqlTable;
import java.util.List;

/** The change of an INSERT, UPDATE or DELETE to one table. */
public sealed interface SqlChange {
  /** Returns the table that is changed. */
  SqlTable table();

  /**
   * An addition of rows.
   *
   * @param table the table
   * @param columns the columns of the rows; all others are null
   * @param rows the query that makes the rows
   */
  record Insert(SqlTable table, List<String> columns, DistributedQuery rows) implements SqlChange {
    /** Copies the columns. */
    public Insert {
      columns = List.copyOf(columns);
    }
  }

  /**
   * A change or deletion of rows where they are. It depends on nothing but the rows of its table in
   * the same actor.
   *
   * @param table the table
   * @param sql a statement for each actor, in its SQL
   */
  record Rewrite(SqlTable table, String sql) implements SqlChange {}
}
