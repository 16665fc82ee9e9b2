package io.uniserve.sql.whole;

import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.planner.Catalog;
import io.uniserve.sql.planner.DistributedQuery;
import io.uniserve.sql.planner.SqlChange;
import io.uniserve.sql.syntax.InsertStatement;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.SqlTable;
import java.util.List;

/** An INSERT of the rows of a query that is computed whole. */
final class WholeInsert {
  private WholeInsert() {}

  /**
   * Plans a statement.
   *
   * @param values the values of its parameters
   * @param why the reason why its query is not cut into stages
   * @throws UniserveException naming the wrong part
   */
  static SqlChange of(Catalog catalog, InsertStatement insert, List<?> values, String why) {
    SqlTable table =
        catalog.tables().stream()
            .filter(known -> known.name().equals(insert.table()))
            .filter(known -> insert.qualifier().map(catalog.name()::equals).orElse(true))
            .findFirst()
            .orElseThrow(
                () -> UniserveException.invalid("SQL: Object '" + insert.table() + "' not found"));
    List<String> columns =
        insert.columns().isEmpty()
            ? table.columns().stream().map(SqlColumn::name).toList()
            : insert.columns();
    for (String column : columns) {
      if (table.indexOf(column) < 0) {
        throw UniserveException.invalid("SQL: Column '" + column + "' not found");
      }
    }
    if (columns.stream().distinct().count() < columns.size()) {
      throw UniserveException.invalid("SQL: INSERT names a column twice");
    }
    DistributedQuery rows = WholeQuery.of(catalog, insert.query(), values).query(why);
    if (rows.columns().size() != columns.size()) {
      throw UniserveException.invalid(
          "SQL: INSERT has "
              + columns.size()
              + " columns and "
              + rows.columns().size()
              + " values");
    }
    return new SqlChange.Insert(table, columns, rows);
  }
}
