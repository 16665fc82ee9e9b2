package io.uniserve.engines.warehouse.fuzz;

import java.util.List;

/**
 * An input of a query with one name: a table, or another query.
 *
 * @param alias the alias as it is written; empty if columns cannot be qualified
 */
record Source(String alias, List<Column> columns) {
  /**
   * One of its columns.
   *
   * @param name the name, as it is written
   * @param exact see {@link Expression}
   */
  record Column(String name, Type type, boolean exact) {}
}
