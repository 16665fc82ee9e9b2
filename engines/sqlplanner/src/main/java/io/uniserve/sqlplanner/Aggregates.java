package io.uniserve.sqlplanner;

import io.uniserve.sqlplanner.Piece.Place;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate.Group;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Places an aggregation of a spread piece: in the actors if each group lies in one of them,
 * otherwise in two steps, the first of which makes the rows fewer.
 */
final class Aggregates {
  private static final Set<SqlKind> SPLITTABLE =
      Set.of(SqlKind.COUNT, SqlKind.SUM, SqlKind.SUM0, SqlKind.MIN, SqlKind.MAX, SqlKind.AVG);

  private final Stages stages;

  Aggregates(Stages stages) {
    this.stages = stages;
  }

  Piece place(LogicalAggregate aggregate, Piece input, double rows) {
    if (!input.is(Place.SPREAD)) {
      RelNode rel = aggregate.copy(aggregate.getTraitSet(), List.of(input.rel()));
      return new Piece(rel, input.place(), List.of(), rows);
    }
    if (aggregate.getGroupType() == Group.SIMPLE) {
      List<List<Integer>> keys = groupedKeys(aggregate.getGroupSet(), input);
      if (!keys.isEmpty()) {
        return Piece.spread(
            aggregate.copy(aggregate.getTraitSet(), List.of(input.rel())), keys, rows);
      }
    }
    RelNode rel = twoSteps(aggregate, input, rows);
    return Piece.client(RelOptUtil.createCastRel(rel, aggregate.getRowType(), true), rows);
  }

  /** The keys, all of whose columns are grouped by, as columns of the groups. */
  private static List<List<Integer>> groupedKeys(ImmutableBitSet groups, Piece input) {
    return input.keys().stream()
        .filter(key -> key.stream().allMatch(groups::get))
        .map(key -> key.stream().map(groups::indexOf).toList())
        .toList();
  }

  private RelNode twoSteps(LogicalAggregate aggregate, Piece input, double rows) {
    List<AggregateCall> calls = aggregate.getAggCallList();
    if (calls.stream().allMatch(Aggregates::splits)) {
      return new PartialAggregates(aggregate, input, stages).combined(rows);
    }
    if (calls.stream().allMatch(call -> call.isDistinct() && call.filterArg < 0)) {
      return distinct(aggregate, input, rows);
    }
    return aggregate.copy(aggregate.getTraitSet(), List.of(stages.atClient(input)));
  }

  private static boolean splits(AggregateCall call) {
    boolean repeats =
        call.getAggregation().getKind() == SqlKind.MIN
            || call.getAggregation().getKind() == SqlKind.MAX;
    return SPLITTABLE.contains(call.getAggregation().getKind())
        && (!call.isDistinct() || repeats)
        && !call.isApproximate()
        && call.getArgList().size() <= 1;
  }

  /** Each actor gives each combination of groups and arguments once. */
  private RelNode distinct(LogicalAggregate aggregate, Piece input, double rows) {
    Set<Integer> columns = new LinkedHashSet<>(aggregate.getGroupSet().asList());
    aggregate.getAggCallList().forEach(call -> columns.addAll(call.getArgList()));
    ImmutableBitSet kept = ImmutableBitSet.of(columns);
    RelNode once = LogicalAggregate.create(input.rel(), List.of(), kept, null, List.of());
    RelNode rel = stages.atClient(Piece.spread(once, List.of(), rows));
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      calls.add(call.withArgList(call.getArgList().stream().map(kept::indexOf).toList()));
    }
    return LogicalAggregate.create(
        rel,
        List.of(),
        moved(aggregate.getGroupSet(), kept),
        aggregate.getGroupSets().stream().map(set -> moved(set, kept)).toList(),
        calls);
  }

  static ImmutableBitSet moved(ImmutableBitSet columns, ImmutableBitSet kept) {
    return ImmutableBitSet.of(columns.asList().stream().map(kept::indexOf).toList());
  }
}
