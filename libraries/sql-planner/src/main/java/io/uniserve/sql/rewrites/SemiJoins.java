package io.uniserve.sql.rewrites;

import io.uniserve.sql.estimates.ColumnPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate.Group;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * A rewriting of joins that only check existence to semi-joins and anti-joins. Unnesting makes such
 * joins of {@code EXISTS}, {@code IN} and {@code NOT EXISTS}.
 *
 * <pre>
 * aggregate or project, left columns only        the same
 *   inner join on k = g                            semi-join on k = x
 *     left (k)                              →        left (k)
 *     aggregate by x (g)                             right (x)
 *       right (x)
 *
 * filter: t is null                              project (k, null, null)
 *   left join on k = g                             anti-join on k = x
 *     left (k)                              →        left (k)
 *     aggregate by x (g, true as t)                  right (x)
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
    if (now instanceof LogicalFilter filter
        && filter.getInput() instanceof LogicalJoin join
        && join.getJoinType() == JoinRelType.LEFT) {
      return unmet(filter, join).orElse(now);
    }
    return now.getInputs().size() == 1
            && now.getInput(0) instanceof LogicalJoin join
            && onlyAsks(join)
            && read(now).length() <= width(join)
        ? now.copy(now.getTraitSet(), List.of(asking(join, JoinRelType.SEMI)))
        : now;
  }

  private static int width(LogicalJoin join) {
    return join.getLeft().getRowType().getFieldCount();
  }

  /**
   * Returns whether each left row matches at most one row, since all grouping columns are compared.
   */
  private static boolean onlyAsks(LogicalJoin join) {
    return join.getJoinType() == JoinRelType.INNER
        && join.getRight() instanceof LogicalAggregate groups
        && groups.getGroupType() == Group.SIMPLE
        && groups.getAggCallList().isEmpty()
        && isByColumns(join)
        && ColumnPair.of(join).stream().map(ColumnPair::right).distinct().count()
            == groups.getRowType().getFieldCount();
  }

  /**
   * Returns whether a join's condition consists of at least one equality of columns and nothing
   * else.
   */
  private static boolean isByColumns(LogicalJoin join) {
    int pairs = ColumnPair.of(join).size();
    return pairs > 0 && pairs == RelOptUtil.conjunctions(join.getCondition()).size();
  }

  /**
   * Returns the columns of a node's input that it reads; if they are unknown, one more than the
   * input has.
   */
  private static ImmutableBitSet read(RelNode rel) {
    return switch (rel) {
      case LogicalProject project -> RelOptUtil.InputFinder.bits(project.getProjects(), null);
      case LogicalAggregate aggregate -> ImmutableBitSet.of(RelOptUtil.getAllFields(aggregate));
      default -> ImmutableBitSet.range(rel.getInput(0).getRowType().getFieldCount());
    };
  }

  /** Returns the anti-join for a filter that keeps only unmatched rows of a left join. */
  private static Optional<RelNode> unmet(LogicalFilter filter, LogicalJoin join) {
    List<RexNode> others = new ArrayList<>();
    for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
      if (!saysUnmet(condition, join)) {
        others.add(condition);
      }
    }
    if (others.size() == RelOptUtil.conjunctions(filter.getCondition()).size()
        || !isByColumns(join)) {
      return Optional.empty();
    }
    RexBuilder rex = join.getCluster().getRexBuilder();
    LogicalJoin anti = asking(join, JoinRelType.ANTI);
    List<RexNode> columns = new ArrayList<>();
    for (RelDataTypeField field : join.getRowType().getFieldList()) {
      columns.add(
          field.getIndex() < width(join)
              ? RexInputRef.of(field.getIndex(), anti.getRowType())
              : rex.makeNullLiteral(field.getType()));
    }
    RelNode rows =
        LogicalProject.create(
            anti, List.of(), columns, join.getRowType().getFieldNames(), Set.of());
    RexNode condition = RexUtil.composeConjunction(rex, others);
    return Optional.of(
        condition.isAlwaysTrue() ? rows : filter.copy(filter.getTraitSet(), rows, condition));
  }

  /**
   * Returns whether a condition says that a right column is null which is never null in a matched
   * row.
   */
  private static boolean saysUnmet(RexNode condition, LogicalJoin join) {
    return condition instanceof RexCall call
        && call.isA(SqlKind.IS_NULL)
        && call.getOperands().getFirst() instanceof RexInputRef column
        && column.getIndex() >= width(join)
        && !join.getRight()
            .getRowType()
            .getFieldList()
            .get(column.getIndex() - width(join))
            .getType()
            .isNullable();
  }

  /** Returns the join with the input of the groups and expressions of its right side. */
  private static LogicalJoin asking(LogicalJoin join, JoinRelType type) {
    List<ColumnPair> pairs = ColumnPair.of(join);
    RelNode right = join.getRight();
    List<Integer> compared = pairs.stream().map(ColumnPair::right).toList();
    while (true) {
      if (right instanceof LogicalAggregate groups
          && groups.getGroupType() == Group.SIMPLE
          && compared.stream().allMatch(key -> key < groups.getGroupCount())) {
        compared = moved(compared, key -> groups.getGroupSet().nth(key));
        right = groups.getInput();
      } else if (right instanceof LogicalProject project
          && compared.stream()
              .allMatch(key -> project.getProjects().get(key) instanceof RexInputRef)
          && !project.containsOver()) {
        compared =
            moved(compared, key -> ((RexInputRef) project.getProjects().get(key)).getIndex());
        right = project.getInput();
      } else {
        break;
      }
    }
    List<RexNode> columns = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int column : compared) {
      columns.add(RexInputRef.of(column, right.getRowType()));
      names.add("k" + names.size());
    }
    RelNode keys = LogicalProject.create(right, List.of(), columns, names, Set.of());
    return LogicalJoin.create(
        join.getLeft(),
        keys,
        join.getHints(),
        RelOptUtil.createEquiJoinCondition(
            join.getLeft(),
            pairs.stream().map(ColumnPair::left).toList(),
            keys,
            IntStream.range(0, compared.size()).boxed().toList(),
            join.getCluster().getRexBuilder()),
        join.getVariablesSet(),
        type);
  }

  private static List<Integer> moved(List<Integer> columns, IntUnaryOperator to) {
    return columns.stream().map(to::applyAsInt).toList();
  }
}
