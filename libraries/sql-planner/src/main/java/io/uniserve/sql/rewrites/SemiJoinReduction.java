package io.uniserve.sql.rewrites;

import io.uniserve.sql.estimates.ColumnPair;
import io.uniserve.sql.estimates.Estimates;
import io.uniserve.sql.estimates.KnownShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate.Group;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.hint.RelHint;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalTableScan;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Semi-join reduction: the keys of the side of a join that has few are sent to the other side
 * first. Rows there that do not match are left out before they are joined, aggregated or spread. A
 * reduction is kept if the stages with it move less than those without.
 *
 * <pre>
 * join on p = g               join on p = g
 *   filter                      filter
 *     part (p)                    part (p)
 *   aggregate by g      →       aggregate by g
 *     line (g, x)                 semi-join on g = p
 *                                   line (g, x)
 *                                   filter
 *                                     part (p)
 * </pre>
 */
public final class SemiJoinReduction {
  /** The greatest share of the keys that a reduction may leave to be tried. */
  private static final double SHARE_MAX = 0.5;

  /** The most reductions that are tried, since each try is a planning. */
  private static final int TRIED_MAX = 6;

  /** The cost of computing the keys, for each row that they are found among, in rows moved. */
  private static final double KEY_COST = 0.05;

  /** The least number of moved rows for which reductions are tried. */
  private static final double MOVED_MIN = 20_000;

  private final Set<Integer> wanted;
  private final Estimates estimates;
  private final List<Found> found = new ArrayList<>();

  private SemiJoinReduction(Set<Integer> wanted, Estimates estimates) {
    this.wanted = wanted;
    this.estimates = estimates;
  }

  /**
   * A reduction that may be made.
   *
   * @param number its number, in the order in which reductions are found
   * @param keyCost the cost of computing its keys, in rows moved
   * @param saved the estimated number of rows that are left out
   */
  private record Found(int number, double keyCost, double saved) {}

  /**
   * Returns a query with the reductions that pay.
   *
   * @param cost returns the cost of the stages of some algebra, in rows moved
   */
  public static RelNode of(RelNode query, Estimates estimates, ToDoubleFunction<RelNode> cost) {
    SemiJoinReduction none = new SemiJoinReduction(Set.of(), estimates);
    none.visit(query);
    if (none.found.isEmpty()) {
      return query;
    }
    double least = cost.applyAsDouble(query);
    if (least < MOVED_MIN) {
      return query;
    }
    List<Found> most =
        none.found.stream()
            .sorted(Comparator.comparingDouble(Found::saved).reversed())
            .limit(TRIED_MAX)
            .toList();
    Set<Integer> chosen = new TreeSet<>();
    double keyCost = 0;
    RelNode best = query;
    for (Found one : most) {
      Set<Integer> tried = new TreeSet<>(chosen);
      tried.add(one.number);
      RelNode reduced = new SemiJoinReduction(tried, estimates).visit(query);
      double now = cost.applyAsDouble(reduced) + keyCost + one.keyCost;
      if (now < least) {
        chosen = tried;
        keyCost += one.keyCost;
        best = reduced;
        least = now;
      }
    }
    return best;
  }

  private RelNode visit(RelNode rel) {
    if (rel instanceof LogicalJoin join && join.getJoinType() == JoinRelType.INNER) {
      return cluster(join);
    }
    List<RelNode> inputs = new ArrayList<>(rel.getInputs().stream().map(this::visit).toList());
    if (rel instanceof LogicalJoin join) {
      reduceSides(join, inputs);
    }
    return inputs.equals(rel.getInputs()) ? rel : rel.copy(rel.getTraitSet(), inputs);
  }

  private void reduceSides(LogicalJoin join, List<RelNode> inputs) {
    JoinRelType type = join.getJoinType();
    List<ColumnPair> pairs = ColumnPair.of(join);
    if (type != JoinRelType.RIGHT && type != JoinRelType.FULL) {
      inputs.set(1, side(join.getLeft(), join.getRight(), inputs.get(1), pairs));
    }
    if (type == JoinRelType.RIGHT || type == JoinRelType.SEMI) {
      List<ColumnPair> swapped = pairs.stream().map(ColumnPair::swapped).toList();
      inputs.set(0, side(join.getRight(), join.getLeft(), inputs.get(0), swapped));
    }
  }

  /**
   * Reduces a side, if the reduction is chosen.
   *
   * @param few the other side
   * @param many the original side
   * @param now the side with the reductions below it
   * @param pairs the pairs of equal columns
   */
  private RelNode side(RelNode few, RelNode many, RelNode now, List<ColumnPair> pairs) {
    List<Reduction> ways = new ArrayList<>();
    for (ColumnPair pair : pairs) {
      for (RelNode keys : sources(few, pair.left())) {
        way(many, pair.right(), keys).ifPresent(ways::add);
      }
    }
    return best(many, now, ways);
  }

  /** Reduces the inputs of inner joins by each other. */
  private RelNode cluster(LogicalJoin root) {
    InnerJoinInputs inputs = InnerJoinInputs.of(root);
    List<RelNode> reduced = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      RelNode many = inputs.get(i);
      List<Reduction> ways = new ArrayList<>();
      for (InnerJoinInputs.Equal equal : inputs.equalTo(i)) {
        RelNode keys = keys(inputs, i, equal.other(), equal.otherColumn());
        way(many, equal.column(), keys).ifPresent(ways::add);
      }
      reduced.add(best(many, visit(many), ways));
    }
    return inputs.with(reduced);
  }

  /** Returns the keys that a column of an input may have to match. */
  private RelNode keys(InnerJoinInputs inputs, int target, int source, int column) {
    RelNode rel = inputs.get(source);
    for (InnerJoinInputs.Equal equal : inputs.equalTo(source)) {
      if (equal.other() != target && equal.column() != column) {
        RelNode other = inputs.get(equal.other());
        if (estimates.met(rel, equal.column(), other, equal.otherColumn()) <= SHARE_MAX) {
          rel = semiJoin(rel, equal.column(), only(other, equal.otherColumn()), List.of());
        }
      }
    }
    return only(rel, column);
  }

  private RelNode best(RelNode many, RelNode now, List<Reduction> ways) {
    Optional<Reduction> best = ways.stream().min(Comparator.comparingDouble(Reduction::share));
    if (best.isEmpty()) {
      return now;
    }
    RelNode keys = best.get().keys;
    double saved = (1 - best.get().share) * estimates.fullRows(many);
    found.add(new Found(found.size(), KEY_COST * estimates.fullRows(keys), saved));
    return wanted.contains(found.size() - 1) ? pushed(now, best.get()) : now;
  }

  /**
   * A way to reduce some rows.
   *
   * @param column the column of the rows
   * @param keys the keys that its values must be among
   * @param share the estimated share of the rows that is left
   */
  private record Reduction(int column, RelNode keys, double share) {}

  private Optional<Reduction> way(RelNode many, int column, RelNode keys) {
    double share = estimates.met(many, column, keys, 0);
    return share <= SHARE_MAX && reaches(many, column)
        ? Optional.of(new Reduction(column, keys, share))
        : Optional.empty();
  }

  /** Returns whether a table is among the places where rows can be left out. */
  private static boolean reaches(RelNode rel, int column) {
    return rel instanceof LogicalTableScan
        || belowGroups(rel, column).filter(at -> reaches(at.rel, at.column)).isPresent();
  }

  private static boolean isGroupedBy(LogicalAggregate aggregate, int column) {
    return aggregate.getGroupType() == Group.SIMPLE && column < aggregate.getGroupCount();
  }

  private static int groupedBy(LogicalAggregate aggregate, int column) {
    return aggregate.getGroupSet().nth(column);
  }

  /**
   * A column of some algebra.
   *
   * @param input the number of this algebra among the inputs of the one above
   */
  private record At(RelNode rel, int column, int input) {}

  /**
   * Returns the origin of an unchanged column. Leaving out rows at the origin must leave out the
   * same rows here, and no others.
   */
  private static Optional<At> below(RelNode rel, int column) {
    return switch (rel) {
      case LogicalFilter filter when !RexOver.containsOver(filter.getCondition()) ->
          Optional.of(new At(filter.getInput(), column, 0));
      case LogicalProject project
          when !project.containsOver()
              && project.getProjects().get(column) instanceof RexInputRef reference ->
          Optional.of(new At(project.getInput(), reference.getIndex(), 0));
      case LogicalJoin join -> below(join, column);
      default -> Optional.empty();
    };
  }

  private static Optional<At> below(LogicalJoin join, int column) {
    int width = join.getLeft().getRowType().getFieldCount();
    JoinRelType type = join.getJoinType();
    if (column < width) {
      return type == JoinRelType.RIGHT || type == JoinRelType.FULL
          ? Optional.empty()
          : Optional.of(new At(join.getLeft(), column, 0));
    }
    return type == JoinRelType.INNER || type == JoinRelType.RIGHT
        ? Optional.of(new At(join.getRight(), column - width, 1))
        : Optional.empty();
  }

  /** Returns columns that contain all values of a column of some rows, and perhaps others. */
  private List<RelNode> sources(RelNode rel, int column) {
    List<RelNode> sources = new ArrayList<>();
    addSources(rel, column, sources);
    return sources;
  }

  private void addSources(RelNode rel, int column, List<RelNode> sources) {
    if (rel instanceof LogicalJoin join) {
      addEqual(join, column, sources);
    }
    Optional<At> below = rel instanceof LogicalFilter ? Optional.empty() : below(rel, column);
    below.ifPresentOrElse(
        at -> addSources(at.rel, at.column, sources), () -> sources.add(only(rel, column)));
  }

  /**
   * Adds the column that a join compares a column with. An inner or semi-join leaves only values of
   * that column.
   */
  private void addEqual(LogicalJoin join, int column, List<RelNode> sources) {
    JoinRelType type = join.getJoinType();
    if (type != JoinRelType.INNER && type != JoinRelType.SEMI) {
      return;
    }
    int width = join.getLeft().getRowType().getFieldCount();
    for (ColumnPair pair : ColumnPair.of(join)) {
      if (pair.left() == column) {
        addSources(join.getRight(), pair.right(), sources);
      } else if (pair.right() + width == column) {
        addSources(join.getLeft(), pair.left(), sources);
      }
    }
  }

  private static RelNode only(RelNode rel, int column) {
    return LogicalProject.create(
        rel,
        List.of(),
        List.of(RexInputRef.of(column, rel.getRowType())),
        List.of(rel.getRowType().getFieldNames().get(column)),
        Set.of());
  }

  /** Pushes a reduction as deep as possible. */
  private static RelNode pushed(RelNode rel, Reduction reduction) {
    return pushed(rel, reduction.column, reduction.keys, KnownShare.hint(reduction.share));
  }

  private static RelNode pushed(RelNode rel, int column, RelNode keys, RelHint hint) {
    Optional<At> below = belowGroups(rel, column);
    if (below.isEmpty()) {
      return semiJoin(rel, column, keys, List.of(hint));
    }
    At at = below.get();
    List<RelNode> inputs = new ArrayList<>(rel.getInputs());
    inputs.set(at.input, pushed(at.rel, at.column, keys, hint));
    return rel.copy(rel.getTraitSet(), inputs);
  }

  private static Optional<At> belowGroups(RelNode rel, int column) {
    return rel instanceof LogicalAggregate aggregate
        ? Optional.of(aggregate)
            .filter(grouping -> isGroupedBy(grouping, column))
            .map(grouping -> new At(grouping.getInput(), groupedBy(grouping, column), 0))
        : below(rel, column);
  }

  private static RelNode semiJoin(RelNode rel, int column, RelNode keys, List<RelHint> hints) {
    RexBuilder rex = rel.getCluster().getRexBuilder();
    int width = rel.getRowType().getFieldCount();
    RexNode condition =
        rex.makeCall(
            SqlStdOperatorTable.EQUALS,
            RexInputRef.of(column, rel.getRowType()),
            rex.makeInputRef(keys.getRowType().getFieldList().getFirst().getType(), width));
    return LogicalJoin.create(rel, keys, hints, condition, Set.of(), JoinRelType.SEMI);
  }
}
