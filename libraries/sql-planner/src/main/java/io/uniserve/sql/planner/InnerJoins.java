package io.uniserve.sql.planner;

import io.uniserve.sql.estimates.Estimates;
import io.uniserve.sql.estimates.InnerJoinTree;
import io.uniserve.sql.estimates.JoinedInputs;
import io.uniserve.sql.planner.Joins.Way;
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
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The ordering of inner joins, so that few rows are moved. Of all pairs that a condition connects,
 * it repeatedly joins the one with the fewest rows moved and made. Within one stage the order does
 * not matter, since DuckDB chooses its own.
 */
final class InnerJoins {
  /** The cost of moving a row over the network, relative to making one. */
  private static final double MOVE_COST = 3;

  /** The cost of a join without a condition, which comes last. */
  private static final double UNCONNECTED_COST = 1e15;

  private final Joins joins;
  private final Estimates estimates;
  private final Function<RelNode, PlanFragment> placing;
  private final List<Item> items = new ArrayList<>();
  private final List<RexNode> conditions = new ArrayList<>();
  private final RexBuilder rex;

  InnerJoins(
      Joins joins, Estimates estimates, RexBuilder rex, Function<RelNode, PlanFragment> placing) {
    this.rex = rex;
    this.joins = joins;
    this.estimates = estimates;
    this.placing = placing;
  }

  private record Candidate(Item left, Item right, double cost) {}

  /**
   * Joins everything below a join.
   *
   * @param needed the columns that are read above; the values of others do not matter
   */
  PlanFragment place(LogicalJoin root, ImmutableBitSet needed) {
    InnerJoinTree tree = InnerJoinTree.of(root);
    conditions.addAll(tree.conditions());
    for (int i = 0; i < tree.inputs().size(); i++) {
      RelNode input = tree.inputs().get(i);
      JoinedInputs held = estimates.input(input, tree.offsets().get(i));
      items.add(new Item(placing.apply(input), held));
    }
    while (items.size() > 1) {
      merge(best(), needed);
    }
    return restored(root, items.getFirst());
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
    RexNode condition = left.inputs().condition(right.inputs(), conditions, rex);
    double rows = left.inputs().with(right.inputs(), condition, rex).rows();
    Way way = joins.way(left.piece(), right.piece(), condition, JoinRelType.INNER);
    double unconnected = condition.isAlwaysTrue() ? UNCONNECTED_COST : 0;
    return new Candidate(left, right, unconnected + rows + MOVE_COST * way.cost());
  }

  private void merge(Candidate pair, ImmutableBitSet needed) {
    ImmutableBitSet read = read(needed);
    Item left = pair.left.only(read);
    Item right = pair.right.only(read);
    RexNode condition = left.inputs().condition(right.inputs(), conditions, rex);
    LogicalJoin join =
        LogicalJoin.create(
            left.piece().rel(),
            right.piece().rel(),
            List.of(),
            condition,
            Set.of(),
            JoinRelType.INNER);
    JoinedInputs joined = left.inputs().with(right.inputs(), condition, rex);
    PlanFragment piece = joins.place(join, left.piece(), right.piece(), joined.rows());
    conditions.removeAll(left.inputs().applicable(right.inputs(), conditions));
    items.remove(pair.left);
    items.remove(pair.right);
    items.add(new Item(piece, joined));
  }

  /** Returns the columns that are read above or by later conditions. */
  private ImmutableBitSet read(ImmutableBitSet needed) {
    return conditions.stream()
        .map(RelOptUtil.InputFinder::bits)
        .reduce(needed, ImmutableBitSet::union);
  }

  /** Returns the columns in the query's order. Columns that nobody reads are null. */
  private static PlanFragment restored(LogicalJoin root, Item item) {
    List<RexNode> columns = new ArrayList<>();
    for (RelDataTypeField field : root.getRowType().getFieldList()) {
      int place = item.inputs().columns().indexOf(field.getIndex());
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
            .map(key -> key.stream().map(item.inputs().columns()::get).toList())
            .toList();
    return new PlanFragment(rel, item.piece().place(), keys, item.piece().rows());
  }
}
