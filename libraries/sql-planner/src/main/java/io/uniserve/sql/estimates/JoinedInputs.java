package io.uniserve.sql.estimates;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/** What some of the inputs of inner joins hold, joined. */
public final class JoinedInputs {
  private final List<Integer> columns;
  private final Estimate estimate;

  private JoinedInputs(List<Integer> columns, Estimate estimate) {
    this.columns = List.copyOf(columns);
    this.estimate = estimate;
  }

  static JoinedInputs of(Estimate estimate, int offset) {
    List<Integer> columns = new ArrayList<>();
    for (int i = 0; i < estimate.columns().size(); i++) {
      columns.add(offset + i);
    }
    return new JoinedInputs(columns, estimate);
  }

  /** For each column its number among the columns of all inputs. */
  public List<Integer> columns() {
    return columns;
  }

  /** About how many rows there are, at least one. */
  public double rows() {
    return estimate.rows();
  }

  Estimate estimate() {
    return estimate;
  }

  /** Those of some conditions on the columns of all inputs that are on columns of these two. */
  public List<RexNode> applicable(JoinedInputs right, List<RexNode> conditions) {
    ImmutableBitSet both = ImmutableBitSet.of(columns).union(ImmutableBitSet.of(right.columns));
    return conditions.stream()
        .filter(condition -> both.contains(RelOptUtil.InputFinder.bits(condition)))
        .toList();
  }

  /** The applicable conditions as one, on the columns of this and the other in a row. */
  public RexNode condition(JoinedInputs right, List<RexNode> conditions, RexBuilder rex) {
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
  public JoinedInputs with(JoinedInputs right, RexNode condition, RexBuilder rex) {
    Estimate joined = Estimates.inner(estimate, right.estimate, condition, rex);
    return new JoinedInputs(both(right), joined);
  }

  private List<Integer> both(JoinedInputs right) {
    List<Integer> both = new ArrayList<>(columns);
    both.addAll(right.columns);
    return both;
  }

  /** Some of the columns. */
  public JoinedInputs only(List<Integer> kept) {
    return new JoinedInputs(kept, estimate.only(kept.stream().map(columns::indexOf).toList()));
  }
}
