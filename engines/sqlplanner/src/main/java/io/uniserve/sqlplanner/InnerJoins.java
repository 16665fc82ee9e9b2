package io.uniserve.sqlplanner;

import io.uniserve.sqlplanner.Joins.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Puts inner joins in an order that moves little: again and again, of all pairs that a condition
 * connects, it joins the one for which the rows moved and the rows made are fewest. Within one
 * stage the order does not matter; DuckDB chooses its own.
 */
final class InnerJoins {
  /** A row on the network against a row that is only made. */
  private static final double MOVE_COST = 10;

  private final Joins joins;
  private final Function<RelNode, Piece> placing;
  private final List<Item> items = new ArrayList<>();
  private final List<RexNode> conditions = new ArrayList<>();

  InnerJoins(Joins joins, Function<RelNode, Piece> placing) {
    this.joins = joins;
    this.placing = placing;
  }

  private record Candidate(Item left, Item right, RexNode condition, double rows, double cost) {}

  Piece place(LogicalJoin root) {
    gather(root, 0);
    while (items.size() > 1) {
      merge(best());
    }
    return restored(root, items.getFirst());
  }

  private void gather(RelNode rel, int offset) {
    if (rel instanceof LogicalJoin join && join.getJoinType() == JoinRelType.INNER) {
      gather(join.getLeft(), offset);
      gather(join.getRight(), offset + join.getLeft().getRowType().getFieldCount());
      RelOptUtil.conjunctions(join.getCondition()).stream()
          .map(condition -> RexUtil.shift(condition, offset))
          .forEach(conditions::add);
    } else {
      items.add(Item.of(placing.apply(rel), rel, offset));
    }
  }

  private Candidate best() {
    Candidate best = null;
    for (int i = 0; i < items.size(); i++) {
      for (int j = i + 1; j < items.size(); j++) {
        Candidate candidate = candidate(items.get(i), items.get(j));
        if (best == null || candidate.cost < best.cost) {
          best = candidate;
        }
      }
    }
    return best;
  }

  private Candidate candidate(Item left, Item right) {
    RexNode condition = left.condition(right, applicable(left, right));
    double rows = left.rowsWith(right, condition);
    Way way = Joins.way(left.piece(), right.piece(), condition, JoinRelType.INNER);
    double cost = rows + MOVE_COST * Joins.moved(way, left.piece(), right.piece());
    return new Candidate(left, right, condition, rows, cost);
  }

  private List<RexNode> applicable(Item left, Item right) {
    ImmutableBitSet both = left.columnSet().union(right.columnSet());
    return conditions.stream()
        .filter(condition -> both.contains(RelOptUtil.InputFinder.bits(condition)))
        .toList();
  }

  private void merge(Candidate pair) {
    LogicalJoin join =
        LogicalJoin.create(
            pair.left.piece().rel(),
            pair.right.piece().rel(),
            List.of(),
            pair.condition,
            java.util.Set.of(),
            JoinRelType.INNER);
    Piece piece = joins.place(join, pair.left.piece(), pair.right.piece(), pair.rows);
    conditions.removeAll(applicable(pair.left, pair.right));
    items.remove(pair.left);
    items.remove(pair.right);
    items.add(pair.left.merged(pair.right, piece, pair.condition));
  }

  /** The columns in the order that the query expects. */
  private static Piece restored(LogicalJoin root, Item item) {
    int width = root.getRowType().getFieldCount();
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      columns.add(RexInputRef.of(item.columns().indexOf(i), item.piece().rel().getRowType()));
    }
    RelNode rel =
        LogicalProject.create(
            item.piece().rel(),
            List.of(),
            columns,
            root.getRowType().getFieldNames(),
            java.util.Set.of());
    List<List<Integer>> keys =
        item.piece().keys().stream()
            .map(key -> key.stream().map(item.columns()::get).toList())
            .toList();
    return new Piece(rel, item.piece().place(), keys, item.piece().rows());
  }
}
