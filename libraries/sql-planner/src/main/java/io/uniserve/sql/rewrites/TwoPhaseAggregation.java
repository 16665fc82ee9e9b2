package io.uniserve.sql.rewrites;

import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;

/**
 * An aggregation in two steps. The first aggregates the rows of each place. The second aggregates
 * the first results of each group, wherever they are brought together. The places of the steps are
 * decided elsewhere.
 */
public sealed interface TwoPhaseAggregation permits PartialAggregates, HyperLogLogAggregate {
  /**
   * Returns the steps of an aggregation; empty if its answer cannot be computed from those of the
   * places.
   *
   * @param input the rows to aggregate, instead of the aggregation's own input
   */
  static Optional<TwoPhaseAggregation> of(LogicalAggregate aggregate, RelNode input) {
    if (aggregate.getAggCallList().stream().allMatch(TwoPhaseAggregation::splits)) {
      return Optional.of(new PartialAggregates(aggregate, input));
    }
    return HyperLogLogAggregate.fits(aggregate)
        ? Optional.of(new HyperLogLogAggregate(aggregate, input))
        : Optional.empty();
  }

  /** Returns whether a call's exact answer can be computed from those of the places. */
  static boolean splits(AggregateCall call) {
    return PartialAggregates.splits(call);
  }

  /** Returns the first step. Its first columns are the grouping keys. */
  RelNode first();

  /**
   * Estimates the greatest number of rows of the first step in all places.
   *
   * @param groups the number of groups of the whole aggregation
   */
  double firstRows(double groups, int places);

  /**
   * Returns the second step.
   *
   * @param firsts the rows of the first step from all places
   */
  RelNode second(RelNode firsts);
}
