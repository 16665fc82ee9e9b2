package io.uniserve.sqlplanner;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.apache.calcite.plan.RelOptUtil;
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
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Semi-join reduction: the keys of a side of a join that has few go to the other side first, where
 * rows that they do not meet are left out before they are joined, aggregated or spread. Each
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
final class Reductions {
  /** A reduction that leaves more than this share of the keys is not tried. */
  private static final double SHARE_MAX = 0.5;

  /** Each that is tried is planned. */
  private static final int TRIED_MAX = 6;

  /** What computing the keys takes, for each row that they are found among, in rows moved. */
  private static final double KEY_COST = 0.05;

  /** Stages that move fewer rows than this are well as they are. */
  private static final double MOVED_MIN = 20_000;

  /** Tells a reduction from a semi-join of the query, and what share it leaves. */
  private static final String HINT = "REDUCTION";

  private static final String SHARE = "share";

  private final Set<Integer> wanted;
  private final List<Found> found = new ArrayList<>();

  private Reductions(Set<Integer> wanted) {
    this.wanted = wanted;
  }

  /**
   * A reduction that may be made.
   *
   * @param number in the order in which they are found
   * @param keyCost of computing its keys, in rows moved
   * @param saved about how many rows are left out
   */
  private record Found(int number, double keyCost, double saved) {}

  /**
   * A query with those reductions that pay.
   *
   * @param cost of the stages of some algebra, in rows moved
   */
  static RelNode of(RelNode query, ToDoubleFunction<RelNode> cost) {
    Reductions none = new Reductions(Set.of());
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
    RelNode best = query;
    for (Found one : most) {
      Set<Integer> tried = new TreeSet<>(chosen);
      tried.add(one.number);
      RelNode reduced = new Reductions(tried).visit(query);
      double now = cost.applyAsDouble(reduced) + one.keyCost;
      if (now < least) {
        chosen = tried;
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

  /** A column of one side of a join that equals one of the other. */
  private record Pair(int left, int right) {
    Pair swapped() {
      return new Pair(right, left);
    }
  }

  private void reduceSides(LogicalJoin join, List<RelNode> inputs) {
    JoinRelType type = join.getJoinType();
    List<Pair> pairs = pairs(join);
    if (type != JoinRelType.RIGHT && type != JoinRelType.FULL) {
      inputs.set(1, side(join.getLeft(), join.getRight(), inputs.get(1), pairs));
    }
    if (type == JoinRelType.RIGHT || type == JoinRelType.SEMI) {
      List<Pair> swapped = pairs.stream().map(Pair::swapped).toList();
      inputs.set(0, side(join.getRight(), join.getLeft(), inputs.get(0), swapped));
    }
  }

  /**
   * Reduces a side, if that is wanted.
   *
   * @param few the other side
   * @param many the side as it was
   * @param now the side, with reductions of what is below
   * @param pairs of their columns
   */
  private RelNode side(RelNode few, RelNode many, RelNode now, List<Pair> pairs) {
    List<Reduction> ways = new ArrayList<>();
    for (Pair pair : pairs) {
      for (Keys keys : sources(few, pair.left)) {
        way(many, pair.right, keys).ifPresent(ways::add);
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
        Keys keys = keys(inputs, i, equal.other(), equal.otherColumn());
        way(many, equal.column(), keys).ifPresent(ways::add);
      }
      reduced.add(best(many, visit(many), ways));
    }
    return inputs.with(reduced);
  }

  /** A column of an input, whose rows are those alone that meet what few others have. */
  private static Keys keys(InnerJoinInputs inputs, int target, int source, int column) {
    RelNode rel = inputs.get(source);
    double rows = Splitter.rows(rel);
    for (InnerJoinInputs.Equal equal : inputs.equalTo(source)) {
      if (equal.other() != target && equal.column() != column) {
        RelNode other = inputs.get(equal.other());
        OptionalDouble distinct = CatalogTable.distinct(rel, equal.column());
        double share = Splitter.rows(other) / distinct.orElse(1);
        if (share <= SHARE_MAX) {
          rel = semiJoin(rel, equal.column(), only(other, equal.otherColumn()), List.of());
          rows *= share;
        }
      }
    }
    return new Keys(only(rel, column), Math.max(1, rows));
  }

  private RelNode best(RelNode many, RelNode now, List<Reduction> ways) {
    Optional<Reduction> best = ways.stream().min(Comparator.comparingDouble(Reduction::share));
    if (best.isEmpty()) {
      return now;
    }
    RelNode keys = best.get().keys.rel;
    double saved = (1 - best.get().share) * Item.largest(many);
    found.add(new Found(found.size(), KEY_COST * Item.largest(keys), saved));
    return wanted.contains(found.size() - 1) ? pushed(now, best.get()) : now;
  }

  /**
   * A column that has all values that matter of another.
   *
   * @param rel of this column alone
   * @param rows about how many it has
   */
  private record Keys(RelNode rel, double rows) {}

  /**
   * One way to reduce some rows.
   *
   * @param column of them
   * @param keys that matter of it
   * @param share about how much of them is left
   */
  private record Reduction(int column, Keys keys, double share) {}

  private static Optional<Reduction> way(RelNode many, int column, Keys keys) {
    OptionalDouble distinct = CatalogTable.distinct(many, column);
    double share = keys.rows / distinct.orElse(1);
    return share <= SHARE_MAX && reaches(many, column)
        ? Optional.of(new Reduction(column, keys, share))
        : Optional.empty();
  }

  /** The pairs of columns that a join's condition says are equal. */
  private static List<Pair> pairs(LogicalJoin join) {
    int width = join.getLeft().getRowType().getFieldCount();
    List<Pair> pairs = new ArrayList<>();
    for (RexNode condition : RelOptUtil.conjunctions(join.getCondition())) {
      if (condition instanceof RexCall call
          && call.getKind() == SqlKind.EQUALS
          && call.getOperands().get(0) instanceof RexInputRef a
          && call.getOperands().get(1) instanceof RexInputRef b) {
        int first = Math.min(a.getIndex(), b.getIndex());
        int second = Math.max(a.getIndex(), b.getIndex());
        if (first < width && second >= width) {
          pairs.add(new Pair(first, second - width));
        }
      }
    }
    return pairs;
  }

  /** Whether a table is where rows can be left out. */
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
   * @param input which input of the algebra above it is
   */
  private record At(RelNode rel, int column, int input) {}

  /**
   * Where a column comes from, unchanged, if rows that are left out there are missing here, and no
   * others.
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

  /** Columns each of which has all values that a column of some rows has, and perhaps others. */
  private static List<Keys> sources(RelNode rel, int column) {
    List<Keys> sources = new ArrayList<>();
    addSources(rel, column, sources);
    return sources;
  }

  private static void addSources(RelNode rel, int column, List<Keys> sources) {
    if (rel instanceof LogicalJoin join) {
      addEqual(join, column, sources);
    }
    Optional<At> below = rel instanceof LogicalFilter ? Optional.empty() : below(rel, column);
    below.ifPresentOrElse(
        at -> addSources(at.rel, at.column, sources),
        () -> sources.add(new Keys(only(rel, column), Splitter.rows(rel))));
  }

  /** An inner or semi-join leaves only values that the column has which it is compared with. */
  private static void addEqual(LogicalJoin join, int column, List<Keys> sources) {
    JoinRelType type = join.getJoinType();
    if (type != JoinRelType.INNER && type != JoinRelType.SEMI) {
      return;
    }
    int width = join.getLeft().getRowType().getFieldCount();
    for (Pair pair : pairs(join)) {
      if (pair.left == column) {
        addSources(join.getRight(), pair.right, sources);
      } else if (pair.right + width == column) {
        addSources(join.getLeft(), pair.left, sources);
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

  /** Leaves rows out as deep as it goes. */
  private static RelNode pushed(RelNode rel, Reduction reduction) {
    RelHint hint = RelHint.builder(HINT).hintOption(SHARE, String.valueOf(reduction.share)).build();
    return pushed(rel, reduction.column, reduction.keys.rel, hint);
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

  /** About what share of the values of a column reductions have left. */
  static double left(RelNode rel, int column) {
    double share = 1;
    Optional<At> at = Optional.of(new At(rel, column, 0));
    while (at.isPresent()) {
      At now = at.get();
      if (now.rel instanceof LogicalJoin join && pairs(join).contains(new Pair(now.column, 0))) {
        for (RelHint hint : join.getHints()) {
          share *= Double.parseDouble(hint.kvOptions.get(SHARE));
        }
      }
      at = belowGroups(now.rel, now.column);
    }
    return share;
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
