package io.uniserve.sql.rewrites;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * Groups of rows by constants alone, as expressions, unless they depend on a row around them and
 * get its columns as keys. Calcite's decorrelation forgets constant keys, and a group of all rows,
 * which it would leave, is there without rows, too: {@code exists} would hold whatever there is.
 */
final class ConstantKeys extends RelHomogeneousShuttle {
  /** A query so. */
  static RelNode kept(RelNode query) {
    return query.accept(new ConstantKeys());
  }

  @Override
  public RelNode visit(RelNode rel) {
    RelNode below = super.visit(rel);
    if (!(below instanceof Aggregate groups)
        || groups.getGroupSet().isEmpty()
        || !RelOptUtil.getVariablesUsed(groups).isEmpty()
        || !(groups.getInput() instanceof Project project)
        || !groups.getGroupSet().asList().stream()
            .allMatch(key -> project.getProjects().get(key) instanceof RexLiteral)) {
      return below;
    }
    List<RexNode> columns = new ArrayList<>(project.getProjects());
    for (int key : groups.getGroupSet()) {
      columns.set(
          key,
          rel.getCluster()
              .getRexBuilder()
              .makeAbstractCast(columns.get(key).getType(), columns.get(key), false));
    }
    return groups.copy(
        groups.getTraitSet(),
        List.of(
            project.copy(
                project.getTraitSet(), project.getInput(), columns, project.getRowType())));
  }
}
