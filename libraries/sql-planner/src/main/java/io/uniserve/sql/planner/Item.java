package io.uniserve.sql.planner;

import io.uniserve.sql.estimates.JoinedInputs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Some inputs of inner joins that have been joined.
 *
 * @param piece the placed join
 * @param inputs the estimate of the join
 */
record Item(PlanFragment piece, JoinedInputs inputs) {

  /**
   * Returns this with only the columns that are read. One column stays at least, since a table must
   * have one.
   */
  Item only(ImmutableBitSet read) {
    List<Integer> columns = inputs.columns();
    List<Integer> kept = new ArrayList<>(columns.stream().filter(read::get).toList());
    if (kept.isEmpty()) {
      kept.add(columns.getFirst());
    }
    if (kept.size() == columns.size()) {
      return this;
    }
    List<RexNode> expressions = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int column : kept) {
      int place = columns.indexOf(column);
      expressions.add(RexInputRef.of(place, piece.rel().getRowType()));
      names.add(piece.rel().getRowType().getFieldNames().get(place));
    }
    RelNode rel = LogicalProject.create(piece.rel(), List.of(), expressions, names, Set.of());
    List<List<Integer>> keys =
        piece.keys().stream()
            .map(key -> key.stream().map(place -> kept.indexOf(columns.get(place))).toList())
            .filter(key -> !key.contains(-1))
            .toList();
    return new Item(new PlanFragment(rel, piece.place(), keys, piece.rows()), inputs.only(kept));
  }
}
