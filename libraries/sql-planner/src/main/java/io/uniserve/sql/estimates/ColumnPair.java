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
 * A column of one side of a join that equals one of the other side.
 *
 * @param left the column of the left side
 * @param right the column of the right side
 */
public record ColumnPair(int left, int right) {
  /** Returns the pairs of columns that a join's condition equates. */
  public static List<ColumnPair> of(LogicalJoin join) {
    int width = join.getLeft().getRowType().getFieldCount();
    return RelOptUtil.conjunctions(join.getCondition()).stream()
        .flatMap(condition -> of(width, condition).stream())
        .toList();
  }

  /**
   * Returns the pair that a condition equates, if it does.
   *
   * @param width the number of columns of the left side
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

  /** Returns the pair with the sides exchanged. */
  public ColumnPair swapped() {
    return new ColumnPair(right, left);
  }
}
