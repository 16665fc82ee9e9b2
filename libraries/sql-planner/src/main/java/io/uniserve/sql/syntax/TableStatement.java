package io.uniserve.sql.syntax;

import java.util.List;
import java.util.Optional;

/** A CREATE TABLE or DROP TABLE statement. */
public sealed interface TableStatement {
  /** Returns the qualifier of the name, in lower case, if it has one. */
  Optional<String> qualifier();

  /** Returns the table's name, in lower case. */
  String name();

  /**
   * The partitioning of rows.
   *
   * @param replicated true if every database holds all rows
   * @param partitionBy the columns that rows are spread by; if there are none and the table is not
   *     replicated, the statement leaves the choice open
   */
  record Spread(boolean replicated, List<String> partitionBy) {
    /** Copies the columns. */
    public Spread {
      partitionBy = List.copyOf(partitionBy);
    }
  }

  /**
   * A new table.
   *
   * @param qualifier the qualifier of its name
   * @param name its name
   * @param unlessExists true if an existing table of this name is accepted
   * @param columns the columns, at least one; those of the primary key are not null
   * @param primaryKey the columns of the primary key; none if there is no key
   * @param spread the partitioning
   */
  record Create(
      Optional<String> qualifier,
      String name,
      boolean unlessExists,
      List<SqlColumn> columns,
      List<String> primaryKey,
      Spread spread)
      implements TableStatement {
    /** Copies the lists. */
    public Create {
      columns = List.copyOf(columns);
      primaryKey = List.copyOf(primaryKey);
    }
  }

  /**
   * A new table with the rows of a query.
   *
   * @param qualifier the qualifier of its name
   * @param name its name
   * @param unlessExists true if an existing table of this name is accepted
   * @param spread the partitioning
   * @param query the query of its columns and rows, with each character at its place in the
   *     statement
   */
  record CreateAs(
      Optional<String> qualifier, String name, boolean unlessExists, Spread spread, String query)
      implements TableStatement {}

  /**
   * The drop of a table.
   *
   * @param qualifier the qualifier of its name
   * @param name its name
   * @param ifExists true if the table may be missing
   */
  record Drop(Optional<String> qualifier, String name, boolean ifExists)
      implements TableStatement {}

  /** Returns whether a statement creates or drops a table, or is wrong. */
  static boolean isOne(String sql) {
    return TableParser.BEGINNING.matcher(sql).lookingAt();
  }

  /**
   * Parses such a statement.
   *
   * @throws io.uniserve.api.error.UniserveException naming the wrong part and its place, or the
   *     part that is not supported
   */
  static TableStatement of(String sql) {
    return new TableParser(sql).statement();
  }
}
