package io.uniserve.sql.syntax;

import java.util.List;
import java.util.Optional;

/** What CREATE TABLE or DROP TABLE asks for. */
public sealed interface TableStatement {
  /** What the name is qualified with, in lower case, if it is. */
  Optional<String> qualifier();

  /** The table's name, in lower case. */
  String name();

  /**
   * How rows are to be spread.
   *
   * @param replicated whether every database is to hold all rows
   * @param partitionBy the columns that rows are to be spread by; if there are none and it is not
   *     replicated, the statement does not say
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
   * @param qualifier of its name
   * @param name its name
   * @param unlessExists whether one of this name is as good
   * @param columns at least one; those of the primary key are not null
   * @param primaryKey columns of it; none if there is no key
   * @param spread over the databases
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
   * @param qualifier of its name
   * @param name its name
   * @param unlessExists whether one of this name is as good
   * @param spread over the databases
   * @param query gives columns and rows; each character of it is where it was in the statement
   */
  record CreateAs(
      Optional<String> qualifier, String name, boolean unlessExists, Spread spread, String query)
      implements TableStatement {}

  /**
   * The end of a table.
   *
   * @param qualifier of its name
   * @param name its name
   * @param ifExists whether it need not be there
   */
  record Drop(Optional<String> qualifier, String name, boolean ifExists)
      implements TableStatement {}

  /** Whether a statement is about a table as such, or is wrong. */
  static boolean isOne(String sql) {
    return TableParser.BEGINNING.matcher(sql).lookingAt();
  }

  /**
   * Parses one.
   *
   * @throws io.uniserve.api.error.UniserveException naming what is wrong and where, or what there
   *     is not
   */
  static TableStatement of(String sql) {
    return new TableParser(sql).statement();
  }
}
