package io.uniserve.sql.rewrites;

import io.uniserve.sql.estimates.InnerJoinTree;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** The inputs of nested inner joins, and the columns that the joins equate. */
final class InnerJoinInputs {
  private final LogicalJoin root;
  private final List<RelNode> inputs;
  private final List<Integer> offsets;

  /** The first column that each column of all inputs equals. */
  private final int[] first;

  private InnerJoinInputs(LogicalJoin root) {
    this.root = root;
    InnerJoinTree tree = InnerJoinTree.of(root);
    inputs = tree.inputs();
    offsets = tree.offsets();
    first = new int[root.getRowType().getFieldCount()];
    for (int i = 0; i < first.length; i++) {
      first[i] = i;
    }
    for (RexNode condition : tree.conditions()) {
      if (condition instanceof RexCall call
          && call.getKind() == SqlKind.EQUALS
          && call.getOperands().get(0) instanceof RexInputRef a
          && call.getOperands().get(1) instanceof RexInputRef b) {
        equate(a.getIndex(), b.getIndex());
      }
    }
  }

  static InnerJoinInputs of(LogicalJoin root) {
    return new InnerJoinInputs(root);
  }

  private void equate(int a, int b) {
    int one = Math.min(first[a], first[b]);
    int other = Math.max(first[a], first[b]);
    for (int i = 0; i < first.length; i++) {
      first[i] = first[i] == other ? one : first[i];
    }
  }

  int size() {
    return inputs.size();
  }

  RelNode get(int input) {
    return inputs.get(input);
  }

  /**
   * A column of an input that equals one of another input.
   *
   * @param column the column of the one input
   * @param other the number of the other input
   * @param otherColumn the column of the other input
   */
  record Equal(int column, int other, int otherColumn) {}

  /** Returns the equalities of an input's columns, direct or through other columns. */
  List<Equal> equalTo(int input) {
    List<Equal> equal = new ArrayList<>();
    for (int column = 0; column < width(input); column++) {
      for (int other = 0; other < inputs.size(); other++) {
        for (int place = 0; other != input && place < width(other); place++) {
          if (first[offsets.get(input) + column] == first[offsets.get(other) + place]) {
            equal.add(new Equal(column, other, place));
          }
        }
      }
    }
    return equal;
  }

  private int width(int input) {
    return inputs.get(input).getRowType().getFieldCount();
  }

  /** Returns the same joins of other inputs. */
  RelNode with(List<RelNode> others) {
    return others.equals(inputs) ? root : with(root, others.iterator());
  }

  private static RelNode with(RelNode rel, Iterator<RelNode> others) {
    if (!InnerJoinTree.isInner(rel)) {
      return others.next();
    }
    List<RelNode> joined = rel.getInputs().stream().map(input -> with(input, others)).toList();
    return rel.copy(rel.getTraitSet(), joined);
  }
}
