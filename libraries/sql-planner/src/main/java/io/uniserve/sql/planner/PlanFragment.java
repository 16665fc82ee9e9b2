package io.uniserve.sql.planner;

import java.util.List;
import org.apache.calcite.rel.RelNode;

/**
 * A part of a query that has been placed.
 *
 * @param rel the algebra, over tables and the rows of earlier stages
 * @param place the place of its rows
 * @param keys the lists of columns by whose values the rows of a spread piece are partitioned; none
 *     if unknown
 * @param rows the estimated number of rows in all actors
 */
public record PlanFragment(RelNode rel, Place place, List<List<Integer>> keys, double rows) {
  /** The place of rows. */
  enum Place {
    /** Every actor has all rows. */
    REPLICATED,
    /** Each row is in one actor. */
    SPREAD,
    /** The client has all rows. */
    CLIENT
  }

  /** Copies the keys. */
  public PlanFragment {
    keys = List.copyOf(keys);
  }

  static PlanFragment everywhere(RelNode rel, double rows) {
    return new PlanFragment(rel, Place.REPLICATED, List.of(), rows);
  }

  static PlanFragment spread(RelNode rel, List<List<Integer>> keys, double rows) {
    return new PlanFragment(rel, Place.SPREAD, keys, rows);
  }

  static PlanFragment client(RelNode rel, double rows) {
    return new PlanFragment(rel, Place.CLIENT, List.of(), rows);
  }

  boolean is(Place other) {
    return place == other;
  }

  /** Returns whether equal values of a column belong to the same actor, whatever their type. */
  boolean canBeSpreadBy(int column) {
    return kind(column) != PartitionKind.OTHER;
  }

  PartitionKind kind(int column) {
    return PartitionKind.of(rel.getRowType().getFieldList().get(column).getType());
  }

  int width() {
    return rel.getRowType().getFieldCount();
  }
}
