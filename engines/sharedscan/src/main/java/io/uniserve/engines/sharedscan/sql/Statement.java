package io.uniserve.engines.sharedscan.sql;

import io.uniserve.engines.sharedscan.scan.Aggregate;
import io.uniserve.engines.sharedscan.scan.Test;
import java.util.List;
import java.util.Optional;

/** A statement about one table. */
public sealed interface Statement {
  /**
   * A query.
   *
   * @param items the columns of the answer
   * @param where the tests of records
   * @param groupBy the places of the columns that make groups
   * @param orderBy the order of the rows
   * @param limit the most rows, if there is a bound
   */
  record Select(
      List<Item> items,
      List<Test> where,
      List<Integer> groupBy,
      List<Order> orderBy,
      Optional<Long> limit)
      implements Statement {
    /** Returns whether it is answered by aggregates of groups. */
    public boolean groups() {
      return !groupBy.isEmpty() || items.stream().anyMatch(item -> item.aggregate().isPresent());
    }
  }

  /**
   * A column of an answer.
   *
   * @param name its name
   * @param column the place of the column that it shows, or whose values are aggregated; -1 for
   *     none
   * @param aggregate the aggregate, if it shows one
   * @param mean true if it shows the sum divided by the count
   */
  record Item(String name, int column, Optional<Aggregate> aggregate, boolean mean) {}

  /**
   * A part of an order. Rows without a value come last.
   *
   * @param item the place of the item
   * @param descending true if the greatest comes first
   */
  record Order(int item, boolean descending) {}

  /**
   * An insertion.
   *
   * @param columns the places of the columns
   * @param rows the values of each row, as documents
   */
  record Insert(List<Integer> columns, List<List<Object>> rows) implements Statement {}

  /**
   * A change.
   *
   * @param columns the places of the columns that are set
   * @param values their values, as documents
   */
  record Update(List<Integer> columns, List<Object> values, List<Test> where)
      implements Statement {}

  /** A deletion. */
  record Delete(List<Test> where) implements Statement {}

  /** An explanation of a query. */
  record Explain(Select select) implements Statement {}
}
