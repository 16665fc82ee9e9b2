package io.uniserve.sql.planner;

import java.util.List;
import org.apache.calcite.rel.RelNode;

/**
 * A part of a query that has been placed.
 *
 * @param rel what it computes, of tables and of the rows of earlier stages
 * @param place where
 * @param keys of a spread piece: lists of columns by whose values its rows are spread, each as the
 *     partitioner would spread a table by them; none if nothing is known
 * @param rows about how many rows it has, over all actors
 */
public record PlanFragment(RelNode rel, Place place, List<List<Integer>> keys, double rows) {
  /** Where rows are. */
  enum Place {
    /** All of them in every actor. */
    REPLICATED,
    /** Each in one actor. */
    SPREAD,
    /** All of them where the query was asked. */
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

  /** Whether equal values of a column give the same actor, whatever their type. */
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
