package io.uniserve.sql.planner;

import io.uniserve.sql.estimates.Estimates;
import io.uniserve.sql.planner.PlanFragment.Place;
import io.uniserve.sql.rewrites.TwoPhaseAggregation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate.Group;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The placement of aggregations of spread pieces. An aggregation runs in the actors if each group
 * is in one of them. Otherwise it has two steps: the first reduces the rows in the actors; the
 * second runs in the actors that the groups are spread over if there are many groups, or at the
 * client.
 */
final class Aggregates {
  private final Stages stages;
  private final Estimates estimates;

  Aggregates(Stages stages, Estimates estimates) {
    this.stages = stages;
    this.estimates = estimates;
  }

  PlanFragment place(LogicalAggregate aggregate, PlanFragment input) {
    double rows = estimates.rows(aggregate);
    if (!input.is(Place.SPREAD)) {
      RelNode rel = aggregate.copy(aggregate.getTraitSet(), List.of(input.rel()));
      return new PlanFragment(rel, input.place(), List.of(), rows);
    }
    if (aggregate.getGroupType() == Group.SIMPLE) {
      List<List<Integer>> keys = groupedKeys(aggregate.getGroupSet(), input.keys());
      if (!keys.isEmpty()) {
        return PlanFragment.spread(
            aggregate.copy(aggregate.getTraitSet(), List.of(input.rel())), keys, rows);
      }
    }
    PlanFragment piece = twoSteps(aggregate, input, rows);
    RelNode rel = RelOptUtil.createCastRel(piece.rel(), aggregate.getRowType(), true);
    return new PlanFragment(rel, piece.place(), piece.keys(), rows);
  }

  /** Returns the keys whose columns are all grouped by, as columns of the groups. */
  private static List<List<Integer>> groupedKeys(ImmutableBitSet groups, List<List<Integer>> keys) {
    return keys.stream()
        .filter(key -> key.stream().allMatch(groups::get))
        .map(key -> key.stream().map(groups::indexOf).toList())
        .toList();
  }

  private PlanFragment twoSteps(LogicalAggregate aggregate, PlanFragment input, double rows) {
    Optional<TwoPhaseAggregation> steps = TwoPhaseAggregation.of(aggregate, input.rel());
    if (steps.isPresent()) {
      return combined(steps.get(), aggregate, input, rows);
    }
    if (aggregate.getAggCallList().stream()
        .allMatch(call -> call.isDistinct() && call.filterArg < 0)) {
      return distinct(aggregate, input, rows);
    }
    return grouped(aggregate, stages.together(input, keysOf(aggregate)), rows);
  }

  private PlanFragment combined(
      TwoPhaseAggregation steps, LogicalAggregate aggregate, PlanFragment input, double rows) {
    double most = Math.min(input.rows(), steps.firstRows(rows, stages.actors()));
    PlanFragment met =
        stages.together(
            PlanFragment.spread(steps.first(), List.of(), most),
            moved(keysOf(aggregate), aggregate.getGroupSet()));
    return new PlanFragment(steps.second(met.rel()), met.place(), met.keys(), rows);
  }

  /** Returns the columns that rows of one group share; none if there are several grouping sets. */
  private static List<Integer> keysOf(LogicalAggregate aggregate) {
    return aggregate.getGroupType() == Group.SIMPLE ? aggregate.getGroupSet().asList() : List.of();
  }

  private static PlanFragment grouped(LogicalAggregate aggregate, PlanFragment input, double rows) {
    RelNode rel = aggregate.copy(aggregate.getTraitSet(), List.of(input.rel()));
    return new PlanFragment(
        rel, input.place(), groupedKeys(aggregate.getGroupSet(), input.keys()), rows);
  }

  /** Returns each combination of groups and arguments once for each actor. */
  private PlanFragment distinct(LogicalAggregate aggregate, PlanFragment input, double rows) {
    Set<Integer> columns = new LinkedHashSet<>(aggregate.getGroupSet().asList());
    aggregate.getAggCallList().forEach(call -> columns.addAll(call.getArgList()));
    ImmutableBitSet kept = ImmutableBitSet.of(columns);
    RelNode once = LogicalAggregate.create(input.rel(), List.of(), kept, null, List.of());
    double valueRows = estimates.groups(aggregate.getInput(), kept);
    boolean byValue =
        kept.cardinality() == 1
            && aggregate.getGroupSet().isEmpty()
            && aggregate.getAggCallList().stream()
                .allMatch(call -> TwoPhaseAggregation.splits(call.withDistinct(false)));
    PlanFragment met =
        stages.together(
            PlanFragment.spread(once, List.of(), valueRows),
            byValue ? List.of(0) : moved(keysOf(aggregate), kept));
    boolean onceEach = byValue && met.is(Place.SPREAD);
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      calls.add(call.withArgList(moved(call.getArgList(), kept)).withDistinct(!onceEach));
    }
    RelNode rel =
        onceEach
            ? LogicalAggregate.create(met.rel(), List.of(), ImmutableBitSet.of(0), null, List.of())
            : met.rel();
    LogicalAggregate second =
        LogicalAggregate.create(
            rel,
            List.of(),
            moved(aggregate.getGroupSet(), kept),
            aggregate.getGroupSets().stream().map(set -> moved(set, kept)).toList(),
            calls);
    return onceEach
        ? combined(
            TwoPhaseAggregation.of(second, rel).orElseThrow(),
            second,
            PlanFragment.spread(rel, met.keys(), met.rows()),
            rows)
        : grouped(second, met, rows);
  }

  private static List<Integer> moved(List<Integer> columns, ImmutableBitSet kept) {
    return columns.stream().map(kept::indexOf).toList();
  }

  private static ImmutableBitSet moved(ImmutableBitSet columns, ImmutableBitSet kept) {
    return ImmutableBitSet.of(moved(columns.asList(), kept));
  }
}
