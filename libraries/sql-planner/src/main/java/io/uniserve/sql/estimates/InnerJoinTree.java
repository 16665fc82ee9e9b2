package io.uniserve.sql.estimates;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/**
 * Nested inner joins as inputs and conditions without an order.
 *
 * @param inputs the inputs
 * @param offsets the number of each input's first column among the columns of all
 * @param conditions the conditions, which must all hold, on the columns of all inputs
 */
public record InnerJoinTree(List<RelNode> inputs, List<Integer> offsets, List<RexNode> conditions) {

  /** Returns the tree of a join and the inner joins below it. */
  public static InnerJoinTree of(LogicalJoin root) {
    InnerJoinTree tree = new InnerJoinTree(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    tree.add(root, 0);
    return tree;
  }

  /** Returns whether a node is an inner join. */
  public static boolean isInner(RelNode rel) {
    return rel instanceof LogicalJoin join && join.getJoinType() == JoinRelType.INNER;
  }

  private void add(RelNode rel, int offset) {
    if (!isInner(rel)) {
      inputs.add(rel);
      offsets.add(offset);
      return;
    }
    LogicalJoin join = (LogicalJoin) rel;
    add(join.getLeft(), offset);
    add(join.getRight(), offset + join.getLeft().getRowType().getFieldCount());
    for (RexNode condition : RelOptUtil.conjunctions(join.getCondition())) {
      conditions.add(RexUtil.shift(condition, offset));
    }
  }
}
