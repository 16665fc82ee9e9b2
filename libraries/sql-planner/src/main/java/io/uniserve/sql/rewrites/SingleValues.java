package io.uniserve.sql.rewrites;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalCorrelate;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * A rewriting of sub-queries that must have one value to aggregates of any database: the least of
 * the values, and their number. More than one value is an error, but only for a row that needs it,
 * so the check is above the join.
 *
 * <pre>
 * join                               project …, if rows > 1 then error else least
 *   t                            →     join
 *   aggregate single_value(x)            t
 *     u                                  aggregate min(x) as least, sum(1) as rows
 *                                          u
 * </pre>
 */
final class SingleValues extends RelHomogeneousShuttle {
  private static final SqlReturnTypeInference TYPE = binding -> binding.getOperandType(1);

  private static final SqlFunction ONLY =
      new Formula(
          "CASE WHEN ({0}) > 1 THEN error('a sub-query that stands for a value has several rows')"
              + " ELSE {1} END",
          TYPE.andThen(SqlTypeTransforms.FORCE_NULLABLE));

  private SingleValues() {}

  /** Returns a query with the rewritten sub-queries. */
  static RelNode counted(RelNode query) {
    return query.accept(new SingleValues());
  }

  @Override
  public RelNode visit(RelNode node) {
    RelNode rel = super.visit(node);
    if (!rel.getInputs().isEmpty()
        && rel.getInputs().getLast() instanceof LogicalAggregate aggregate
        && isSingle(aggregate)) {
      return switch (rel) {
        case LogicalCorrelate correlate when correlate.getJoinType() == JoinRelType.LEFT ->
            only(
                correlate,
                correlate.copy(
                    correlate.getTraitSet(), List.of(correlate.getLeft(), leastOf(aggregate))));
        case LogicalJoin join
            when join.getJoinType() == JoinRelType.LEFT && join.getCondition().isAlwaysTrue() ->
            only(join, join.copy(join.getTraitSet(), List.of(join.getLeft(), leastOf(aggregate))));
        default -> rel;
      };
    }
    return rel;
  }

  private static boolean isSingle(LogicalAggregate aggregate) {
    return aggregate.getGroupSet().isEmpty()
        && aggregate.getAggCallList().size() == 1
        && aggregate.getAggCallList().getFirst().getAggregation().getKind() == SqlKind.SINGLE_VALUE;
  }

  private static RelNode leastOf(LogicalAggregate aggregate) {
    RelNode input = aggregate.getInput();
    RexBuilder rex = input.getCluster().getRexBuilder();
    int column = aggregate.getAggCallList().getFirst().getArgList().getFirst();
    RelNode values =
        LogicalProject.create(
            input,
            List.of(),
            List.of(
                RexInputRef.of(column, input.getRowType()), rex.makeExactLiteral(BigDecimal.ONE)),
            List.of("value", "one"),
            Set.of());
    AggregateCall least =
        PartialAggregates.of(SqlStdOperatorTable.MIN, List.of(0), -1, values, true);
    AggregateCall rows =
        PartialAggregates.of(SqlStdOperatorTable.SUM, List.of(1), -1, values, true);
    return LogicalAggregate.create(
        values, List.of(), ImmutableBitSet.of(), null, List.of(least, rows));
  }

  private static RelNode only(RelNode asked, RelNode joined) {
    RexBuilder rex = joined.getCluster().getRexBuilder();
    int width = asked.getRowType().getFieldCount() - 1;
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      columns.add(RexInputRef.of(i, joined.getRowType()));
    }
    columns.add(
        rex.makeCall(
            ONLY,
            RexInputRef.of(width + 1, joined.getRowType()),
            RexInputRef.of(width, joined.getRowType())));
    return LogicalProject.create(
        joined, List.of(), columns, asked.getRowType().getFieldNames(), Set.of());
  }
}
