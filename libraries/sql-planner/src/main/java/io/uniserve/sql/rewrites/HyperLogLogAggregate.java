package io.uniserve.sql.rewrites;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The estimated number of distinct values, by HyperLogLog (Flajolet and others, 2007). Each place
 * returns the registers of its values as rows, and registers are merged by taking the larger. The
 * answer therefore does not depend on the partitioning. Its standard error is 2.3 %.
 *
 * <pre>
 * approx_count_distinct(x) group by g   →   each place: max(rank(x)) group by g, register(x)
 *                                           together:   max(rank) group by g, register
 *                                                       estimate(count(*), sum(1 / 2^rank)) group by g
 * </pre>
 */
final class HyperLogLogAggregate implements TwoPhaseAggregation {
  private static final int REGISTERS = 2_048;

  private static final SqlFunction REGISTER =
      new Formula(
          "CASE WHEN {0} IS NOT NULL THEN CAST(hash({0}) % 2048 AS INTEGER) END",
          ReturnTypes.INTEGER_NULLABLE);
  private static final SqlFunction RANK =
      new Formula(
          "CASE WHEN {0} IS NOT NULL"
              + " THEN CAST(53 - floor(log2(CAST(hash({0}) >> 11 AS DOUBLE) + 0.5)) AS INTEGER) END",
          ReturnTypes.INTEGER_NULLABLE);
  private static final SqlFunction WEIGHT =
      new Formula("power(2.0, -({0}))", ReturnTypes.DOUBLE_NULLABLE);

  /** The estimate from registers. Few values are counted by the empty registers. */
  private static final SqlFunction ESTIMATE =
      new Formula(
          "CAST(round(CASE WHEN {0} < 1880 THEN 2048 * ln(2048.0 / (2048 - {0}))"
              + " ELSE 3023758.0 / (coalesce({1}, 0) + 2048 - {0}) END) AS BIGINT)",
          ReturnTypes.BIGINT);

  private final LogicalAggregate aggregate;
  private final RelNode input;
  private final int groups;

  HyperLogLogAggregate(LogicalAggregate aggregate, RelNode input) {
    this.aggregate = aggregate;
    this.input = input;
    groups = aggregate.getGroupCount();
  }

  /** Returns whether an aggregation can be done so. */
  static boolean fits(LogicalAggregate aggregate) {
    return aggregate.getGroupType() == LogicalAggregate.Group.SIMPLE
        && aggregate.getAggCallList().size() == 1
        && aggregate.getAggCallList().getFirst().isApproximate()
        && aggregate.getAggCallList().getFirst().filterArg < 0
        && aggregate.getAggCallList().getFirst().getArgList().size() == 1;
  }

  @Override
  public RelNode first() {
    RexNode value = ref(aggregate.getAggCallList().getFirst().getArgList().getFirst(), input);
    List<RexNode> columns = new ArrayList<>();
    aggregate.getGroupSet().forEach(column -> columns.add(ref(column, input)));
    columns.add(call(input, REGISTER, value));
    columns.add(call(input, RANK, value));
    return largest(project(input, columns));
  }

  @Override
  public double firstRows(double all, int places) {
    return all * REGISTERS;
  }

  @Override
  public RelNode second(RelNode firsts) {
    RelNode merged = largest(firsts);
    RelNode weights =
        project(merged, with(groups + 1, merged, call(merged, WEIGHT, ref(groups + 1, merged))));
    RelNode sums =
        LogicalAggregate.create(
            weights,
            List.of(),
            ImmutableBitSet.range(groups),
            null,
            List.of(
                of(SqlStdOperatorTable.COUNT, groups, weights, groups),
                of(SqlStdOperatorTable.SUM, groups + 1, weights, groups)));
    RexNode estimate = call(sums, ESTIMATE, ref(groups, sums), ref(groups + 1, sums));
    return project(sums, with(groups, sums, estimate));
  }

  private RelNode largest(RelNode rel) {
    return LogicalAggregate.create(
        rel,
        List.of(),
        ImmutableBitSet.range(groups + 1),
        null,
        List.of(of(SqlStdOperatorTable.MAX, groups + 1, rel, groups + 1)));
  }

  private static AggregateCall of(SqlAggFunction function, int column, RelNode of, int groups) {
    return PartialAggregates.of(function, List.of(column), -1, of, groups == 0);
  }

  /** Returns the first columns and another one. */
  private static List<RexNode> with(int count, RelNode rel, RexNode more) {
    List<RexNode> columns = new ArrayList<>();
    IntStream.range(0, count).forEach(column -> columns.add(ref(column, rel)));
    columns.add(more);
    return columns;
  }

  private static RexNode ref(int column, RelNode rel) {
    return RexInputRef.of(column, rel.getRowType());
  }

  private static RexNode call(RelNode rel, SqlFunction function, RexNode... operands) {
    return rel.getCluster().getRexBuilder().makeCall(function, operands);
  }

  private static RelNode project(RelNode rel, List<RexNode> columns) {
    return LogicalProject.create(rel, List.of(), columns, (List<String>) null, Set.of());
  }
}
