package io.uniserve.sql.rewrites;

import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;

/**
 * One aggregation as two: the first of rows that lie in many places, in each for its own; the
 * second of all that the first gave of a group, wherever that is brought together. Where rows go is
 * not said.
 */
public sealed interface TwoPhaseAggregation permits PartialAggregates, HyperLogLogAggregate {
  /**
   * The steps of an aggregation; none if its answer does not follow from those of the places.
   *
   * @param input what is aggregated, in the place of the aggregation's own input
   */
  static Optional<TwoPhaseAggregation> of(LogicalAggregate aggregate, RelNode input) {
    if (aggregate.getAggCallList().stream().allMatch(TwoPhaseAggregation::splits)) {
      return Optional.of(new PartialAggregates(aggregate, input));
    }
    return HyperLogLogAggregate.fits(aggregate)
        ? Optional.of(new HyperLogLogAggregate(aggregate, input))
        : Optional.empty();
  }

  /** Whether a call's exact answer follows from those of the places. */
  static boolean splits(AggregateCall call) {
    return PartialAggregates.splits(call);
  }

  /** The first step. What rows are grouped by are its first columns. */
  RelNode first();

  /**
   * About how many rows the first step gives at most, in all places.
   *
   * @param groups of the whole aggregation
   */
  double firstRows(double groups, int places);

  /**
   * The second step.
   *
   * @param firsts the rows of the first, of all places
   */
  RelNode second(RelNode firsts);
}
