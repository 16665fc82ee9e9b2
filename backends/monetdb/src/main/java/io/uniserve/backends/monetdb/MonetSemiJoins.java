package io.uniserve.backends.monetdb;

import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * A rewriting of semi-joins and anti-joins on equal columns into joins that {@link MonetJoins} can
 * write.
 *
 * <pre>
 * semi-join on k = x      project, left columns only
 *   left (k)                join on k = g
 *   right (x)       →         left (k)
 *                             aggregate by x (g)
 *                               right (x)
 *
 * anti-join on k = x      project, left columns only
 *   left (k)                filter: x is null
 *   right (x)       →         left join on k = x
 *                               left (k)
 *                               right (x)
 * </pre>
 */
final class MonetSemiJoins extends RelHomogeneousShuttle {
  private MonetSemiJoins() {}

  /** Rewrites a relation without changing its rows. Joins with other comparisons stay. */
  static RelNode asJoins(RelNode rel) {
    return rel.accept(new MonetSemiJoins());
  }

  @Override
  public RelNode visit(RelNode node) {
    RelNode now = super.visit(node);
    if (!(now instanceof Join join) || join.getJoinType().projectsRight()) {
      return now;
    }
    JoinInfo compared = join.analyzeCondition();
    if (!compared.isEqui() || compared.rightKeys.isEmpty()) {
      return now;
    }
    RelNode kept = join.getJoinType() == JoinRelType.SEMI ? met(join, compared) : unmet(join);
    RelDataType left = join.getRowType();
    List<RexInputRef> columns =
        IntStream.range(0, left.getFieldCount()).mapToObj(i -> RexInputRef.of(i, left)).toList();
    return LogicalProject.create(kept, List.of(), columns, left.getFieldNames(), Set.of());
  }

  private static RelNode met(Join join, JoinInfo compared) {
    ImmutableBitSet keys = compared.rightSet();
    RelNode groups = LogicalAggregate.create(join.getRight(), List.of(), keys, null, List.of());
    List<Integer> grouped = compared.rightKeys.stream().map(keys::indexOf).toList();
    RexNode condition =
        RelOptUtil.createEquiJoinCondition(
            join.getLeft(), compared.leftKeys, groups, grouped, join.getCluster().getRexBuilder());
    return joined(join, groups, condition, JoinRelType.INNER);
  }

  /**
   * Returns the condition that no right row matched: a compared right column is null then, and only
   * then.
   */
  private static RelNode unmet(Join join) {
    RelNode all = joined(join, join.getRight(), join.getCondition(), JoinRelType.LEFT);
    int key =
        join.getLeft().getRowType().getFieldCount() + join.analyzeCondition().rightKeys.getFirst();
    return LogicalFilter.create(
        all,
        join.getCluster()
            .getRexBuilder()
            .makeCall(SqlStdOperatorTable.IS_NULL, RexInputRef.of(key, all.getRowType())));
  }

  private static LogicalJoin joined(Join join, RelNode right, RexNode condition, JoinRelType type) {
    return LogicalJoin.create(
        join.getLeft(), right, List.of(), condition, join.getVariablesSet(), type);
  }
}
