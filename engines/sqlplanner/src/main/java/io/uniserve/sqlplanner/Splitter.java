package io.uniserve.sqlplanner;

import io.uniserve.sqlplanner.Piece.Place;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Places each node of a query as near to the data as its meaning allows, from the leaves up. What
 * cannot run there is cut from its inputs: they become stages, and it runs on their rows at the
 * client, where everything can run.
 */
final class Splitter {
  private final Stages stages;
  private final Joins joins;
  private final Aggregates aggregates;

  Splitter(Stages stages) {
    this.stages = stages;
    joins = new Joins(stages);
    aggregates = new Aggregates(stages);
  }

  /** Where a node's rows are best computed, and of what. */
  Piece place(RelNode rel) {
    return switch (rel) {
      case LogicalTableScan scan -> scan(scan);
      case LogicalValues values -> Piece.everywhere(values, rows(values));
      case LogicalFilter filter -> filter(filter);
      case LogicalProject project -> project(project);
      case LogicalAggregate aggregate ->
          aggregates.place(aggregate, place(aggregate.getInput()), rows(aggregate));
      case LogicalSort sort -> sort(sort);
      case LogicalJoin join when join.getJoinType() == JoinRelType.INNER ->
          innerJoins(join, ImmutableBitSet.range(join.getRowType().getFieldCount()));
      case LogicalJoin join ->
          joins.place(join, place(join.getLeft()), place(join.getRight()), rows(join));
      case LogicalUnion union when union.all -> union(union);
      default -> atClient(rel);
    };
  }

  private static Piece scan(LogicalTableScan scan) {
    RelOptTable table = scan.getTable();
    SqlTable known = table.unwrapOrThrow(CatalogTable.class).table();
    return known.replicated()
        ? Piece.everywhere(scan, rows(scan))
        : Piece.spread(scan, List.of(known.indexesOf(known.partitionBy())), rows(scan));
  }

  private Piece filter(LogicalFilter filter) {
    Piece input = place(filter.getInput());
    if (RexOver.containsOver(filter.getCondition())) {
      return atClient(filter);
    }
    RelNode rel = filter.copy(filter.getTraitSet(), input.rel(), filter.getCondition());
    return new Piece(rel, input.place(), input.keys(), rows(filter));
  }

  private Piece innerJoins(LogicalJoin join, ImmutableBitSet needed) {
    return new InnerJoins(joins, this::place).place(join, needed);
  }

  private Piece project(LogicalProject project) {
    Piece input =
        project.getInput() instanceof LogicalJoin join && join.getJoinType() == JoinRelType.INNER
            ? innerJoins(join, RelOptUtil.InputFinder.bits(project.getProjects(), null))
            : place(project.getInput());
    if (input.is(Place.SPREAD) && project.containsOver() && !windowsAreLocal(project, input)) {
      RelNode rel = project.copy(project.getTraitSet(), List.of(stages.atClient(input)));
      return Piece.client(rel, input.rows());
    }
    List<List<Integer>> keys = new ArrayList<>();
    for (List<Integer> key : input.keys()) {
      List<Integer> moved =
          key.stream().map(column -> placeOf(project.getProjects(), column)).toList();
      if (!moved.contains(-1)) {
        keys.add(moved);
      }
    }
    RelNode rel = project.copy(project.getTraitSet(), List.of(input.rel()));
    return new Piece(rel, input.place(), keys, input.rows());
  }

  private static int placeOf(List<RexNode> projects, int column) {
    for (int i = 0; i < projects.size(); i++) {
      if (projects.get(i) instanceof RexInputRef reference && reference.getIndex() == column) {
        return i;
      }
    }
    return -1;
  }

  /** Whether the rows of each window lie in one actor. */
  private static boolean windowsAreLocal(LogicalProject project, Piece input) {
    return project.getProjects().stream()
        .allMatch(
            expression ->
                !RexOver.containsOver(expression)
                    || expression instanceof RexOver over
                        && isLocal(over.getWindow().partitionKeys, input));
  }

  private static boolean isLocal(List<RexNode> partitionKeys, Piece input) {
    return input.keys().stream()
        .anyMatch(key -> key.stream().allMatch(column -> placeOf(partitionKeys, column) >= 0));
  }

  /** Of a spread piece, each actor gives as many rows as may be among the first. */
  private Piece sort(LogicalSort sort) {
    Piece input = place(sort.getInput());
    if (!input.is(Place.SPREAD)) {
      return new Piece(
          sort.copy(sort.getTraitSet(), List.of(input.rel())),
          input.place(),
          List.of(),
          rows(sort));
    }
    Piece first = input;
    if (sort.fetch instanceof RexLiteral fetch
        && (sort.offset == null || sort.offset instanceof RexLiteral)) {
      long most = number(fetch) + (sort.offset instanceof RexLiteral offset ? number(offset) : 0);
      RexNode bound =
          sort.getCluster().getRexBuilder().makeExactLiteral(java.math.BigDecimal.valueOf(most));
      first =
          Piece.spread(
              LogicalSort.create(input.rel(), sort.getCollation(), null, bound), List.of(), most);
    }
    RelNode rel =
        LogicalSort.create(stages.atClient(first), sort.getCollation(), sort.offset, sort.fetch);
    return Piece.client(rel, rows(sort));
  }

  private static long number(RexLiteral literal) {
    return literal.getValueAs(Long.class);
  }

  private Piece union(LogicalUnion union) {
    List<Piece> inputs = union.getInputs().stream().map(this::place).toList();
    boolean spread = inputs.stream().allMatch(input -> input.is(Place.SPREAD));
    List<RelNode> rels =
        inputs.stream().map(input -> spread ? input.rel() : stages.atClient(input)).toList();
    RelNode rel = union.copy(union.getTraitSet(), rels);
    return spread ? Piece.spread(rel, List.of(), rows(union)) : Piece.client(rel, rows(union));
  }

  /** Computes a node at the client, of the rows of its inputs. */
  private Piece atClient(RelNode rel) {
    List<RelNode> inputs =
        rel.getInputs().stream().map(input -> stages.atClient(place(input))).toList();
    return Piece.client(rel.copy(rel.getTraitSet(), inputs), rows(rel));
  }

  static double rows(RelNode rel) {
    return Math.max(1, rel.getCluster().getMetadataQuery().getRowCount(rel));
  }
}
