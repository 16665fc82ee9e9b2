package io.uniserve.sqlplanner;

import io.uniserve.sqlplanner.Joins.Way;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataTypeField;
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
  private static final double MOVE_COST = 3;

  private final Joins joins;
  private final Function<RelNode, Piece> placing;
  private final List<Item> items = new ArrayList<>();
  private final List<RexNode> conditions = new ArrayList<>();

  InnerJoins(Joins joins, Function<RelNode, Piece> placing) {
    this.joins = joins;
    this.placing = placing;
  }

  private record Candidate(Item left, Item right, RexNode condition, double rows, double cost) {}

  /**
   * Joins everything below a join.
   *
   * @param needed the columns that are read above; the others need not be right
   */
  Piece place(LogicalJoin root, ImmutableBitSet needed) {
    gather(root, 0);
    while (items.size() > 1) {
      merge(best(), needed);
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
    Way way = joins.way(left.piece(), right.piece(), condition, JoinRelType.INNER);
    double cost = rows + MOVE_COST * way.cost();
    return new Candidate(left, right, condition, rows, cost);
  }

  private List<RexNode> applicable(Item left, Item right) {
    ImmutableBitSet both = left.columnSet().union(right.columnSet());
    return conditions.stream()
        .filter(condition -> both.contains(RelOptUtil.InputFinder.bits(condition)))
        .toList();
  }

  private void merge(Candidate pair, ImmutableBitSet needed) {
    ImmutableBitSet read = read(needed);
    Item left = pair.left.only(read);
    Item right = pair.right.only(read);
    RexNode condition = left.condition(right, applicable(left, right));
    LogicalJoin join =
        LogicalJoin.create(
            left.piece().rel(),
            right.piece().rel(),
            List.of(),
            condition,
            Set.of(),
            JoinRelType.INNER);
    Piece piece = joins.place(join, left.piece(), right.piece(), pair.rows);
    conditions.removeAll(applicable(left, right));
    items.remove(pair.left);
    items.remove(pair.right);
    items.add(left.merged(right, piece, condition));
  }

  /** The columns that are read above or by conditions that are still to come. */
  private ImmutableBitSet read(ImmutableBitSet needed) {
    return conditions.stream()
        .map(RelOptUtil.InputFinder::bits)
        .reduce(needed, ImmutableBitSet::union);
  }

  /** The columns in the order that the query expects; those that nobody reads are null. */
  private static Piece restored(LogicalJoin root, Item item) {
    List<RexNode> columns = new ArrayList<>();
    for (RelDataTypeField field : root.getRowType().getFieldList()) {
      int place = item.columns().indexOf(field.getIndex());
      columns.add(
          place < 0
              ? root.getCluster().getRexBuilder().makeNullLiteral(field.getType())
              : RexInputRef.of(place, item.piece().rel().getRowType()));
    }
    RelNode rel =
        LogicalProject.create(
            item.piece().rel(), List.of(), columns, root.getRowType().getFieldNames(), Set.of());
    List<List<Integer>> keys =
        item.piece().keys().stream()
            .map(key -> key.stream().map(item.columns()::get).toList())
            .toList();
    return new Piece(rel, item.piece().place(), keys, item.piece().rows());
  }
}
