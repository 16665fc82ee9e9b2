package io.uniserve.sql.planner;

import io.uniserve.sql.algebra.CatalogTable;
import io.uniserve.sql.estimates.Estimates;
import io.uniserve.sql.planner.PlanFragment.Place;
import io.uniserve.sql.syntax.SqlTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.SetOp;
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
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The placement of a query's nodes, from the leaves up, as near to the data as their meaning
 * allows. A node that cannot run in the actors is cut from its inputs: these become stages, and the
 * node runs on their rows at the client, which can run everything.
 */
final class Splitter {
  private final Stages stages;
  private final Estimates estimates;
  private final Joins joins;
  private final Aggregates aggregates;

  Splitter(Stages stages, Estimates estimates) {
    this.stages = stages;
    this.estimates = estimates;
    joins = new Joins(stages, estimates);
    aggregates = new Aggregates(stages, estimates);
  }

  /** Places a node and its inputs. */
  PlanFragment place(RelNode rel) {
    return switch (rel) {
      case LogicalTableScan scan -> scan(scan);
      case LogicalValues values -> PlanFragment.everywhere(values, rows(values));
      case LogicalFilter filter -> filter(filter);
      case LogicalProject project -> project(project);
      case LogicalAggregate aggregate -> aggregates.place(aggregate, place(aggregate.getInput()));
      case LogicalSort sort -> sort(sort);
      case LogicalJoin join when join.getJoinType() == JoinRelType.INNER ->
          innerJoins(join, ImmutableBitSet.range(join.getRowType().getFieldCount()));
      case LogicalJoin join -> joins.place(join, place(join.getLeft()), place(join.getRight()));
      case LogicalUnion union when union.all -> union(union);
      case SetOp set -> setOperation(set);
      default -> atClient(rel);
    };
  }

  private PlanFragment scan(LogicalTableScan scan) {
    RelOptTable table = scan.getTable();
    SqlTable known = table.unwrapOrThrow(CatalogTable.class).table();
    return known.replicated()
        ? PlanFragment.everywhere(scan, rows(scan))
        : PlanFragment.spread(scan, List.of(known.indexesOf(known.partitionBy())), rows(scan));
  }

  private PlanFragment filter(LogicalFilter filter) {
    PlanFragment input = place(filter.getInput());
    if (RexOver.containsOver(filter.getCondition())) {
      return atClient(filter);
    }
    RelNode rel = filter.copy(filter.getTraitSet(), input.rel(), filter.getCondition());
    return new PlanFragment(rel, input.place(), input.keys(), rows(filter));
  }

  private PlanFragment innerJoins(LogicalJoin join, ImmutableBitSet needed) {
    return new InnerJoins(joins, estimates, join.getCluster().getRexBuilder(), this::place)
        .place(join, needed);
  }

  private PlanFragment project(LogicalProject project) {
    PlanFragment input =
        project.getInput() instanceof LogicalJoin join && join.getJoinType() == JoinRelType.INNER
            ? innerJoins(join, RelOptUtil.InputFinder.bits(project.getProjects(), null))
            : place(project.getInput());
    if (input.is(Place.SPREAD) && project.containsOver()) {
      input = windowed(project, input);
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
    return new PlanFragment(rel, input.place(), keys, input.rows());
  }

  private static int placeOf(List<RexNode> projects, int column) {
    for (int i = 0; i < projects.size(); i++) {
      if (projects.get(i) instanceof RexInputRef reference && reference.getIndex() == column) {
        return i;
      }
    }
    return -1;
  }

  /** Places windows, so that the rows of each are in one place. */
  private PlanFragment windowed(LogicalProject project, PlanFragment input) {
    List<List<RexNode>> windows = new ArrayList<>();
    new RexVisitorImpl<Void>(true) {
      @Override
      public Void visitOver(RexOver over) {
        windows.add(over.getWindow().partitionKeys);
        return null;
      }
    }.visitEach(project.getProjects());
    if (windows.stream().allMatch(keys -> isLocal(keys, input))) {
      return input;
    }
    List<Integer> shared =
        IntStream.range(0, input.width())
            .filter(column -> windows.stream().allMatch(keys -> placeOf(keys, column) >= 0))
            .boxed()
            .toList();
    return stages.together(input, shared);
  }

  private static boolean isLocal(List<RexNode> partitionKeys, PlanFragment input) {
    return input.keys().stream()
        .anyMatch(key -> key.stream().allMatch(column -> placeOf(partitionKeys, column) >= 0));
  }

  /**
   * Places a sort. Each actor of a spread piece gives only as many rows as may be among the first.
   */
  private PlanFragment sort(LogicalSort sort) {
    PlanFragment input = place(sort.getInput());
    if (!input.is(Place.SPREAD)) {
      return new PlanFragment(
          sort.copy(sort.getTraitSet(), List.of(input.rel())),
          input.place(),
          List.of(),
          input.rows());
    }
    PlanFragment first = input;
    if (sort.fetch instanceof RexLiteral fetch
        && (sort.offset == null || sort.offset instanceof RexLiteral)) {
      long most = number(fetch) + (sort.offset instanceof RexLiteral offset ? number(offset) : 0);
      RexNode bound =
          sort.getCluster().getRexBuilder().makeExactLiteral(java.math.BigDecimal.valueOf(most));
      first =
          PlanFragment.spread(
              LogicalSort.create(input.rel(), sort.getCollation(), null, bound),
              List.of(),
              Math.min(most, input.rows()));
    }
    RelNode rel =
        LogicalSort.create(stages.atClient(first), sort.getCollation(), sort.offset, sort.fetch);
    return PlanFragment.client(rel, first.rows());
  }

  private static long number(RexLiteral literal) {
    return literal.getValueAs(Long.class);
  }

  private PlanFragment union(LogicalUnion union) {
    List<PlanFragment> inputs = union.getInputs().stream().map(this::place).toList();
    boolean spread = inputs.stream().allMatch(input -> input.is(Place.SPREAD));
    List<RelNode> rels =
        inputs.stream().map(input -> spread ? input.rel() : stages.atClient(input)).toList();
    RelNode rel = union.copy(union.getTraitSet(), rels);
    return spread
        ? PlanFragment.spread(rel, List.of(), rows(union))
        : PlanFragment.client(rel, rows(union));
  }

  /**
   * Places a set operation. Rows that may be equal are brought together, in the actors if there are
   * many.
   */
  private PlanFragment setOperation(SetOp set) {
    List<PlanFragment> inputs = set.getInputs().stream().map(this::place).toList();
    List<Integer> columns =
        IntStream.range(0, set.getRowType().getFieldCount())
            .filter(
                column ->
                    inputs.stream()
                        .allMatch(
                            input ->
                                input.canBeSpreadBy(column)
                                    && input.kind(column) == inputs.getFirst().kind(column)))
            .boxed()
            .toList();
    boolean spread =
        inputs.stream().allMatch(input -> input.is(Place.SPREAD))
            && !columns.isEmpty()
            && stages.areMany(inputs.stream().mapToDouble(PlanFragment::rows).sum());
    List<RelNode> rels =
        inputs.stream()
            .map(input -> spread ? stages.spread(input, columns).rel() : stages.atClient(input))
            .toList();
    RelNode rel = set.copy(set.getTraitSet(), rels);
    return spread
        ? PlanFragment.spread(rel, List.of(columns), rows(set))
        : PlanFragment.client(rel, rows(set));
  }

  /** Places a node at the client, on the rows of its inputs. */
  private PlanFragment atClient(RelNode rel) {
    List<RelNode> inputs =
        rel.getInputs().stream().map(input -> stages.atClient(place(input))).toList();
    return PlanFragment.client(rel.copy(rel.getTraitSet(), inputs), rows(rel));
  }

  private double rows(RelNode rel) {
    return estimates.rows(rel);
  }
}
