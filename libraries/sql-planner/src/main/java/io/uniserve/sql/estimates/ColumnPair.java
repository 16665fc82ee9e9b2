package io.uniserve.sql.estimates;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/**
 * A column of one side of a join that equals one of the other.
 *
 * @param left of the left side
 * @param right of the right side
 */
public record ColumnPair(int left, int right) {
  /** The pairs of columns that a join's condition says are equal. */
  public static List<ColumnPair> of(LogicalJoin join) {
    int width = join.getLeft().getRowType().getFieldCount();
    return RelOptUtil.conjunctions(join.getCondition()).stream()
        .flatMap(condition -> of(width, condition).stream())
        .toList();
  }

  /**
   * The pair that a condition says is equal, if that is what it says.
   *
   * @param width how many columns the left side has
   */
  static Optional<ColumnPair> of(int width, RexNode condition) {
    if (condition instanceof RexCall call
        && call.getKind() == SqlKind.EQUALS
        && call.getOperands().get(0) instanceof RexInputRef a
        && call.getOperands().get(1) instanceof RexInputRef b) {
      int first = Math.min(a.getIndex(), b.getIndex());
      int second = Math.max(a.getIndex(), b.getIndex());
      if (first < width && second >= width) {
        return Optional.of(new ColumnPair(first, second - width));
      }
    }
    return Optional.empty();
  }

  /** The same of the sides in the other order. */
  public ColumnPair swapped() {
    return new ColumnPair(right, left);
  }
}
