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
 * A rewriting of groups by constants alone, whose keys become expressions, unless the groups depend
 * on an outer row and get its columns as keys. Calcite's decorrelation drops constant keys. It
 * would leave a group of all rows, which exists even without rows, so {@code exists} would always
 * hold.
 */
final class ConstantKeys extends RelHomogeneousShuttle {
  /** Returns a query with the rewritten groups. */
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
