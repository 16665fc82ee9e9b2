package io.uniserve.sqlplanner;

import java.util.ArrayList;
import java.util.List;
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
 * One aggregation in two: each actor aggregates its rows, and the client, or the actors over which
 * groups are spread, what they give. A count becomes a sum of counts, an average a sum of sums over
 * a sum of counts.
 *
 * <pre>
 * avg(x), count(*) group by g   →   each actor: sum(x), count(x), count(*) group by g
 *                                   client:     sum(sum) / sum(count), sum(count) group by g
 * </pre>
 */
final class PartialAggregates {
  private final LogicalAggregate aggregate;
  private final Piece input;
  private final Stages stages;
  private final int groups;
  private final List<AggregateCall> partial = new ArrayList<>();

  PartialAggregates(LogicalAggregate aggregate, Piece input, Stages stages) {
    this.aggregate = aggregate;
    this.input = input;
    this.stages = stages;
    groups = aggregate.getGroupCount();
  }

  Piece combined(double rows) {
    List<AggregateCall> calls = aggregate.getAggCallList();
    List<SqlAggFunction> finals = new ArrayList<>();
    for (AggregateCall call : calls) {
      add(call, finals);
    }
    RelNode first =
        LogicalAggregate.create(input.rel(), List.of(), aggregate.getGroupSet(), null, partial);
    List<Integer> keys = Aggregates.moved(Aggregates.keysOf(aggregate), aggregate.getGroupSet());
    Piece met =
        stages.together(
            Piece.spread(first, List.of(), Math.min(input.rows(), rows * stages.actors())), keys);
    return new Piece(answers(second(met.rel(), finals)), met.place(), met.keys(), rows);
  }

  private void add(AggregateCall call, List<SqlAggFunction> finals) {
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
        finals.add(call.getAggregation());
      }
    }
  }

  private AggregateCall as(AggregateCall call, SqlAggFunction function) {
    return of(
        function,
        call.getArgList(),
        call.filterArg,
        input.rel(),
        aggregate.getGroupSet().isEmpty());
  }

  private RelNode second(RelNode rel, List<SqlAggFunction> finals) {
    ImmutableBitSet kept = aggregate.getGroupSet();
    List<ImmutableBitSet> sets =
        aggregate.getGroupSets().stream().map(set -> Aggregates.moved(set, kept)).toList();
    boolean hasEmpty = sets.stream().anyMatch(ImmutableBitSet::isEmpty);
    List<AggregateCall> calls = new ArrayList<>();
    for (int i = 0; i < finals.size(); i++) {
      calls.add(of(finals.get(i), List.of(groups + i), -1, rel, hasEmpty));
    }
    return LogicalAggregate.create(rel, List.of(), ImmutableBitSet.range(groups), sets, calls);
  }

  /** A call whose type follows from what it aggregates. */
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

  /** Divides sums by counts where an average was asked for. */
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
        second, List.of(), columns, aggregate.getRowType().getFieldNames(), java.util.Set.of());
  }
}
