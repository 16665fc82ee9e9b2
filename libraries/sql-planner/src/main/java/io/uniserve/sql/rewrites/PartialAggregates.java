package io.uniserve.sql.rewrites;

import io.uniserve.sql.algebra.functions.DuckAggregate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * An aggregation in two steps: each place aggregates its rows, and the results are aggregated
 * again. A count becomes a sum of counts, an average a sum of sums over a sum of counts.
 *
 * <pre>
 * avg(x), count(*) group by g   →   each place: sum(x), count(x), count(*) group by g
 *                                   together:   sum(sum) / sum(count), sum(count) group by g
 * </pre>
 */
final class PartialAggregates implements TwoPhaseAggregation {
  private static final Set<SqlKind> SPLITTABLE =
      Set.of(SqlKind.COUNT, SqlKind.SUM, SqlKind.SUM0, SqlKind.MIN, SqlKind.MAX, SqlKind.AVG);

  private final LogicalAggregate aggregate;
  private final RelNode input;
  private final int groups;
  private final List<AggregateCall> partial = new ArrayList<>();
  private final List<SqlAggFunction> finals = new ArrayList<>();

  PartialAggregates(LogicalAggregate aggregate, RelNode input) {
    this.aggregate = aggregate;
    this.input = input;
    groups = aggregate.getGroupCount();
    aggregate.getAggCallList().forEach(this::add);
  }

  static boolean splits(AggregateCall call) {
    boolean repeats =
        call.getAggregation().getKind() == SqlKind.MIN
            || call.getAggregation().getKind() == SqlKind.MAX;
    boolean known =
        call.getAggregation() instanceof DuckAggregate other
            ? other.combining().isPresent()
            : SPLITTABLE.contains(call.getAggregation().getKind());
    return known
        && (!call.isDistinct() || repeats)
        && !call.isApproximate()
        && call.getArgList().size() <= 1;
  }

  @Override
  public RelNode first() {
    return LogicalAggregate.create(input, List.of(), aggregate.getGroupSet(), null, partial);
  }

  @Override
  public double firstRows(double all, int places) {
    return all * places;
  }

  @Override
  public RelNode second(RelNode firsts) {
    return answers(merged(firsts));
  }

  private void add(AggregateCall call) {
    switch (call.getAggregation().getKind()) {
      case COUNT -> {
        partial.add(call);
        finals.add(SqlStdOperatorTable.SUM0);
      }
      case AVG -> {
        partial.add(as(call, SqlStdOperatorTable.SUM));
        partial.add(as(call, SqlStdOperatorTable.COUNT));
        finals.add(SqlStdOperatorTable.SUM);
        finals.add(SqlStdOperatorTable.SUM0);
      }
      default -> {
        partial.add(as(call, call.getAggregation()));
        finals.add(
            call.getAggregation() instanceof DuckAggregate other
                ? other.combining().orElseThrow()
                : call.getAggregation());
      }
    }
  }

  private AggregateCall as(AggregateCall call, SqlAggFunction function) {
    return of(
        function, call.getArgList(), call.filterArg, input, aggregate.getGroupSet().isEmpty());
  }

  private RelNode merged(RelNode rel) {
    ImmutableBitSet all = aggregate.getGroupSet();
    List<ImmutableBitSet> sets =
        aggregate.getGroupSets().stream()
            .map(set -> ImmutableBitSet.of(set.asList().stream().map(all::indexOf).toList()))
            .toList();
    boolean hasEmpty = sets.stream().anyMatch(ImmutableBitSet::isEmpty);
    List<AggregateCall> calls = new ArrayList<>();
    for (int i = 0; i < finals.size(); i++) {
      calls.add(of(finals.get(i), List.of(groups + i), -1, rel, hasEmpty));
    }
    return LogicalAggregate.create(rel, List.of(), ImmutableBitSet.range(groups), sets, calls);
  }

  /** Makes a call whose type is derived from its argument. */
  static AggregateCall of(
      SqlAggFunction function,
      List<Integer> arguments,
      int filter,
      RelNode of,
      boolean hasEmptyGroup) {
    return AggregateCall.create(
        function,
        false,
        false,
        false,
        List.of(),
        arguments,
        filter,
        null,
        RelCollations.EMPTY,
        hasEmptyGroup,
        of,
        null,
        null);
  }

  /** Returns the answers, with sums divided by counts for averages. */
  private RelNode answers(RelNode second) {
    RexBuilder rex = second.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < groups; i++) {
      columns.add(RexInputRef.of(i, second.getRowType()));
    }
    int next = groups;
    for (AggregateCall call : aggregate.getAggCallList()) {
      RexNode value = RexInputRef.of(next++, second.getRowType());
      if (call.getAggregation().getKind() == SqlKind.AVG) {
        RexNode count = RexInputRef.of(next++, second.getRowType());
        RexNode some =
            rex.makeCall(SqlStdOperatorTable.NULLIF, count, rex.makeZeroLiteral(count.getType()));
        value = rex.makeCall(call.getType(), SqlStdOperatorTable.DIVIDE, List.of(value, some));
      }
      columns.add(value);
    }
    return LogicalProject.create(
        second, List.of(), columns, aggregate.getRowType().getFieldNames(), Set.of());
  }
}
