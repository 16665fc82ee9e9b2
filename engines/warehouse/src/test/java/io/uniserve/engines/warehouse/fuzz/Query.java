package io.uniserve.engines.warehouse.fuzz;

import java.util.List;

/**
 * A query.
 *
 * @param part what it says
 * @param columns what it gives, by different names if it can be read as a table
 * @param ordered whether it says in which order its rows come, but for equal ones
 */
record Query(Part part, List<Source.Column> columns, boolean ordered) {
  /**
   * What a query is that any other with as many columns of the same types may take the place of.
   */
  static String sort(List<Type> types) {
    return "query" + types;
  }

  List<Type> types() {
    return columns.stream().map(Source.Column::type).toList();
  }
}
