package io.uniserve.engines.warehouse.fuzz;

import java.util.List;

/**
 * A query.
 *
 * @param part the text of the query, in its parts
 * @param columns the columns that it gives, by different names if it can be read as a table
 * @param ordered true if it says in which order its rows come, but for equal ones
 */
record Query(Part part, List<Source.Column> columns, boolean ordered) {
  /**
   * Returns the sort of a query. A query of the same sort has the same number and types of columns
   * and can replace it.
   */
  static String sort(List<Type> types) {
    return "query" + types;
  }

  List<Type> types() {
    return columns.stream().map(Source.Column::type).toList();
  }
}
