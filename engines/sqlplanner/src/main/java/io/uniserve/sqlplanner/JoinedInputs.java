package io.uniserve.sqlplanner;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * What some of the inputs of inner joins hold, joined.
 *
 * @param columns for each column its number among the columns of all inputs
 * @param estimate about how many rows there are, and of what values
 */
record JoinedInputs(List<Integer> columns, Estimate estimate) {

  static JoinedInputs of(Estimate estimate, int offset) {
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < estimate.columns().size(); i++) {
      columns.add(offset + i);
    }
    return new JoinedInputs(columns, estimate);
  }

  /** Those of some conditions on the columns of all inputs that are on columns of these two. */
  List<RexNode> applicable(JoinedInputs right, List<RexNode> conditions) {
    ImmutableBitSet both = ImmutableBitSet.of(columns).union(ImmutableBitSet.of(right.columns));
    return conditions.stream()
        .filter(condition -> both.contains(RelOptUtil.InputFinder.bits(condition)))
        .toList();
  }

  /** The applicable conditions as one, on the columns of this and the other in a row. */
  RexNode condition(JoinedInputs right, List<RexNode> conditions, RexBuilder rex) {
    List<Integer> both = both(right);
    RexNode all = RexUtil.composeConjunction(rex, applicable(right, conditions));
    return all.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            return new RexInputRef(both.indexOf(reference.getIndex()), reference.getType());
          }
        });
  }

  /** Both, joined by a condition on their columns in a row. */
  JoinedInputs with(JoinedInputs right, RexNode condition, RexBuilder rex) {
    Estimate joined = Estimates.inner(estimate, right.estimate, condition, rex);
    return new JoinedInputs(both(right), joined);
  }

  private List<Integer> both(JoinedInputs right) {
    List<Integer> both = new ArrayList<>(columns);
    both.addAll(right.columns);
    return both;
  }

  /** Some of the columns. */
  JoinedInputs only(List<Integer> kept) {
    return new JoinedInputs(
        List.copyOf(kept), estimate.only(kept.stream().map(columns::indexOf).toList()));
  }
}
