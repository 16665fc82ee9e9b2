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

/** The estimate of some joined inputs of inner joins. */
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

  /** Returns the number of each column among the columns of all inputs. */
  public List<Integer> columns() {
    return columns;
  }

  /** Returns the estimated number of rows, at least one. */
  public double rows() {
    return estimate.rows();
  }

  Estimate estimate() {
    return estimate;
  }

  /** Returns those of some conditions that use only columns of these two. */
  public List<RexNode> applicable(JoinedInputs right, List<RexNode> conditions) {
    ImmutableBitSet both = ImmutableBitSet.of(columns).union(ImmutableBitSet.of(right.columns));
    return conditions.stream()
        .filter(condition -> both.contains(RelOptUtil.InputFinder.bits(condition)))
        .toList();
  }

  /**
   * Returns the applicable conditions as one, on the columns of this followed by those of the
   * other.
   */
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

  /**
   * Returns the join of both by a condition on the columns of this followed by those of the other.
   */
  public JoinedInputs with(JoinedInputs right, RexNode condition, RexBuilder rex) {
    Estimate joined = Estimates.inner(estimate, right.estimate, condition, rex);
    return new JoinedInputs(both(right), joined);
  }

  private List<Integer> both(JoinedInputs right) {
    List<Integer> both = new ArrayList<>(columns);
    both.addAll(right.columns);
    return both;
  }

  /** Returns the estimate with some of the columns. */
  public JoinedInputs only(List<Integer> kept) {
    return new JoinedInputs(kept, estimate.only(kept.stream().map(columns::indexOf).toList()));
  }
}
