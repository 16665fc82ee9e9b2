package io.uniserve.sqlplanner;

import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate.Group;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Where a join finds at most one row on its right, of which nothing is read, it only asks whether
 * there is one. That is what {@code EXISTS} and {@code IN} become once they are no sub-queries.
 *
 * <pre>
 * aggregate or project, left columns only        the same
 *   inner join on k = g                            semi-join on k = x
 *     left (k)                              →        left (k)
 *     aggregate by x (g)                             right (x)
 *       right (x)
 * </pre>
 */
final class SemiJoins extends RelHomogeneousShuttle {
  private SemiJoins() {}

  static RelNode of(RelNode query) {
    return query.accept(new SemiJoins());
  }

  @Override
  public RelNode visit(RelNode node) {
    RelNode now = super.visit(node);
    return now.getInputs().size() == 1
            && now.getInput(0) instanceof LogicalJoin join
            && onlyAsks(join)
            && read(now).length() <= join.getLeft().getRowType().getFieldCount()
        ? now.copy(now.getTraitSet(), List.of(semiJoin(join)))
        : now;
  }

  /** Whether each left row meets one row at most, since all columns of the groups are compared. */
  private static boolean onlyAsks(LogicalJoin join) {
    JoinInfo keys = join.analyzeCondition();
    return join.getJoinType() == JoinRelType.INNER
        && join.getRight() instanceof LogicalAggregate groups
        && groups.getGroupType() == Group.SIMPLE
        && groups.getAggCallList().isEmpty()
        && keys.isEqui()
        && keys.rightSet().cardinality() == groups.getRowType().getFieldCount();
  }

  /** The columns that are read of its input; one too many if that is not known. */
  private static ImmutableBitSet read(RelNode rel) {
    return switch (rel) {
      case LogicalProject project -> RelOptUtil.InputFinder.bits(project.getProjects(), null);
      case LogicalAggregate aggregate -> ImmutableBitSet.of(RelOptUtil.getAllFields(aggregate));
      default -> ImmutableBitSet.range(rel.getInput(0).getRowType().getFieldCount());
    };
  }

  private static RelNode semiJoin(LogicalJoin join) {
    JoinInfo keys = join.analyzeCondition();
    LogicalAggregate groups = (LogicalAggregate) join.getRight();
    List<Integer> right =
        keys.rightKeys.stream().map(key -> groups.getGroupSet().nth(key)).toList();
    return LogicalJoin.create(
        join.getLeft(),
        groups.getInput(),
        join.getHints(),
        RelOptUtil.createEquiJoinCondition(
            join.getLeft(),
            keys.leftKeys,
            groups.getInput(),
            right,
            join.getCluster().getRexBuilder()),
        join.getVariablesSet(),
        JoinRelType.SEMI);
  }
}
