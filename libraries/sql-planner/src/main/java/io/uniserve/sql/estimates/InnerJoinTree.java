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
 * Inner joins of inner joins, as what is joined and by what: the order does not matter.
 *
 * @param inputs what is joined
 * @param offsets of each input, the number of its first column among the columns of all
 * @param conditions each of which holds, on the columns of all
 */
public record InnerJoinTree(List<RelNode> inputs, List<Integer> offsets, List<RexNode> conditions) {

  /** What a join joins, and what the inner joins below it do. */
  public static InnerJoinTree of(LogicalJoin root) {
    InnerJoinTree tree = new InnerJoinTree(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    tree.add(root, 0);
    return tree;
  }

  /** Whether a node is an inner join. */
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
