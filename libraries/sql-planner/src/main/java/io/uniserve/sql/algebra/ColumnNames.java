package io.uniserve.sql.algebra;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/**
 * A renaming of columns that makes names distinct: they differ by more than the case of letters,
 * and also where all columns of a join are passed on by a star.
 *
 * <pre>
 * Join(Filter(Join(a, b)), c)   →   Join(Project(j0, j1, …, Filter(Join(a, b))), c)
 * </pre>
 */
final class ColumnNames extends RelHomogeneousShuttle {
  private ColumnNames() {}

  /** Returns the algebra with distinct names. */
  static RelNode settled(RelNode rel) {
    return rel.accept(new ColumnNames());
  }

  @Override
  public RelNode visit(RelNode node) {
    RelNode below = super.visit(node);
    RelNode told = below.copy(below.getTraitSet(), inputs(below));
    return told instanceof TableScan || told instanceof Join || !meet(names(told))
        ? told
        : told instanceof Project project
            ? LogicalProject.create(
                project.getInput(), List.of(), project.getProjects(), numbered(project), Set.of())
            : renamed(told);
  }

  private static List<RelNode> inputs(RelNode node) {
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : node.getInputs()) {
      boolean star = passesOnJoin(input) && passesAll(node, input);
      inputs.add(star ? renamed(input) : input);
    }
    return inputs;
  }

  private static boolean passesOnJoin(RelNode rel) {
    return rel instanceof Join
        || (rel instanceof Filter || rel instanceof Sort) && passesOnJoin(rel.getInput(0));
  }

  /** Returns whether a node reads an input as a sub-query that passes on all columns. */
  private static boolean passesAll(RelNode node, RelNode input) {
    return node instanceof SetOp || node instanceof Join && !(input instanceof Join);
  }

  private static RelNode renamed(RelNode rel) {
    List<RexNode> columns = new ArrayList<>();
    for (int i = 0; i < rel.getRowType().getFieldCount(); i++) {
      columns.add(RexInputRef.of(i, rel.getRowType()));
    }
    return LogicalProject.create(rel, List.of(), columns, numbered(rel), Set.of());
  }

  private static List<String> names(RelNode rel) {
    return rel.getRowType().getFieldNames();
  }

  private static boolean meet(List<String> names) {
    Set<String> different = new HashSet<>();
    return !names.stream().allMatch(name -> different.add(name.toLowerCase(Locale.ROOT)));
  }

  private static List<String> numbered(RelNode rel) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < rel.getRowType().getFieldCount(); i++) {
      names.add("j" + i);
    }
    return names;
  }
}
