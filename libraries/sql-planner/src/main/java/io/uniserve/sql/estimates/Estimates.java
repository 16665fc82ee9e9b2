package io.uniserve.sql.estimates;

import io.uniserve.sql.algebra.CatalogTable;
import io.uniserve.sql.algebra.ColumnRange;
import io.uniserve.sql.algebra.TableSize;
import io.uniserve.sql.syntax.SqlColumn;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
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
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The estimated numbers of rows of a query's nodes, computed from the tables up. The estimates of
 * nodes are cached. Only one thread may use it.
 */
public final class Estimates {
  private final Map<RelNode, Estimate> known = new IdentityHashMap<>();

  /** Estimates the number of rows of a node, at least one. */
  public double rows(RelNode rel) {
    return of(rel).rows();
  }

  /** Estimates the number of rows of the largest table that a node is computed from. */
  public double fullRows(RelNode rel) {
    return of(rel).full();
  }

  /** Estimates the number of combinations of values of some columns of a node, at least one. */
  public double groups(RelNode rel, ImmutableBitSet columns) {
    return groups(of(rel), columns);
  }

  /**
   * Estimates the share of a node's rows that match rows of another.
   *
   * @param column the column whose value must be among the others'
   * @param theirs their column
   */
  public double met(RelNode rel, int column, RelNode others, int theirs) {
    return of(rel).met(column, of(others), theirs);
  }

  /**
   * Returns the estimate of an input of inner joins.
   *
   * @param offset the number of its first column among the columns of all inputs
   */
  public JoinedInputs input(RelNode rel, int offset) {
    return JoinedInputs.of(of(rel), offset);
  }

  private Estimate of(RelNode rel) {
    Estimate before = known.get(rel);
    if (before != null) {
      return before;
    }
    Estimate now = estimated(rel);
    known.put(rel, now);
    return now;
  }

  private Estimate estimated(RelNode rel) {
    return switch (rel) {
      case LogicalTableScan scan -> scan(scan);
      case LogicalFilter filter ->
          new FilterShare(of(filter.getInput()), filter.getCluster().getRexBuilder())
              .left(filter.getCondition());
      case LogicalProject project -> project(project);
      case LogicalAggregate aggregate -> aggregate(aggregate);
      case LogicalJoin join -> join(join);
      case LogicalSort sort -> sort(sort);
      case LogicalUnion union -> union(union);
      default -> {
        double rows = rel.getCluster().getMetadataQuery().getRowCount(rel);
        yield Estimate.of(rows, rel.getRowType().getFieldCount());
      }
    };
  }

  private static Estimate scan(LogicalTableScan scan) {
    CatalogTable table = scan.getTable().unwrapOrThrow(CatalogTable.class);
    TableSize size = table.size();
    List<ColumnEstimate> columns = new ArrayList<>();
    for (SqlColumn column : table.table().columns()) {
      Long distinct = size.distinct().get(column.name());
      Optional<ColumnRange> range = Optional.ofNullable(size.ranges().get(column.name()));
      columns.add(ColumnEstimate.of(distinct == null ? 0 : Math.max(1, distinct), range));
    }
    double rows = table.getStatistic().getRowCount();
    List<Estimate.Key> keys =
        table.getStatistic().getKeys().stream().map(key -> new Estimate.Key(key, rows)).toList();
    return new Estimate(rows, rows, columns, keys);
  }

  private Estimate project(LogicalProject project) {
    Estimate input = of(project.getInput());
    List<Integer> kept = new ArrayList<>();
    for (RexNode expression : project.getProjects()) {
      kept.add(expression instanceof RexInputRef reference ? reference.getIndex() : -1);
    }
    return input.only(kept);
  }

  private Estimate aggregate(LogicalAggregate aggregate) {
    Estimate input = of(aggregate.getInput());
    ImmutableBitSet grouped = aggregate.getGroupSet();
    double groups = groups(input, grouped);
    List<ColumnEstimate> columns = new ArrayList<>();
    for (int column : grouped) {
      columns.add(input.column(column));
    }
    aggregate.getAggCallList().forEach(call -> columns.add(ColumnEstimate.UNKNOWN));
    int sets = aggregate.getGroupSets().size();
    List<Estimate.Key> keys =
        sets > 1
            ? List.of()
            : List.of(new Estimate.Key(ImmutableBitSet.range(grouped.cardinality()), groups));
    return new Estimate(groups * sets, input.full(), columns, keys);
  }

  /** Estimates the number of groups: the number of values, if these were counted. */
  private static double groups(Estimate input, ImmutableBitSet columns) {
    double groups = 1;
    for (int column : columns) {
      double values = input.column(column).values();
      groups *= values > 0 ? values : Math.sqrt(input.rows());
    }
    return Math.clamp(groups, 1, input.rows());
  }

  private Estimate join(LogicalJoin join) {
    Estimate left = of(join.getLeft());
    Estimate right = of(join.getRight());
    JoinRelType type = join.getJoinType();
    if (type == JoinRelType.SEMI) {
      OptionalDouble reduction = KnownShare.of(join);
      List<ColumnPair> pairs = ColumnPair.of(join);
      return reduction.isPresent()
          ? left.reduced(pairs.getFirst().left(), reduction.getAsDouble())
          : left.among(met(left, right, pairs));
    }
    if (type == JoinRelType.ANTI) {
      return left;
    }
    RexBuilder rex = join.getCluster().getRexBuilder();
    if (type == JoinRelType.INNER) {
      return inner(InnerJoinTree.of(join), rex);
    }
    Estimate joined = inner(left, right, join.getCondition(), rex);
    return switch (type) {
      case LEFT -> joined.atLeast(left.rows());
      case RIGHT -> joined.atLeast(right.rows());
      default -> joined.atLeast(Math.max(left.rows(), right.rows()));
    };
  }

  /** Estimates the share of the left rows that match any right row. */
  private static double met(Estimate left, Estimate right, List<ColumnPair> pairs) {
    return pairs.stream()
        .mapToDouble(pair -> left.met(pair.left(), right, pair.right()))
        .min()
        .orElse(1);
  }

  /**
   * Estimates inner joins. It joins first the inputs that give the fewest rows, so that dependent
   * columns are combined early.
   */
  private Estimate inner(InnerJoinTree tree, RexBuilder rex) {
    List<JoinedInputs> inputs = new ArrayList<>();
    for (int i = 0; i < tree.inputs().size(); i++) {
      inputs.add(input(tree.inputs().get(i), tree.offsets().get(i)));
    }
    List<RexNode> conditions = new ArrayList<>(tree.conditions());
    while (inputs.size() > 1) {
      Meeting best = null;
      for (int i = 0; i < inputs.size(); i++) {
        for (int j = i + 1; j < inputs.size(); j++) {
          Meeting one = Meeting.of(inputs.get(i), inputs.get(j), conditions, rex);
          best = best == null || one.isBefore(best) ? one : best;
        }
      }
      conditions.removeAll(best.left.applicable(best.right, conditions));
      inputs.removeAll(List.of(best.left, best.right));
      inputs.add(best.joined);
    }
    JoinedInputs all = inputs.getFirst();
    List<Integer> inOrder = all.columns().stream().sorted().toList();
    return all.only(inOrder).estimate();
  }

  /** Two inputs and the estimate of their join. */
  private record Meeting(
      JoinedInputs left, JoinedInputs right, boolean connected, JoinedInputs joined) {
    static Meeting of(
        JoinedInputs left, JoinedInputs right, List<RexNode> conditions, RexBuilder rex) {
      RexNode condition = left.condition(right, conditions, rex);
      JoinedInputs joined = left.with(right, condition, rex);
      return new Meeting(left, right, !condition.isAlwaysTrue(), joined);
    }

    boolean isBefore(Meeting other) {
      return connected == other.connected ? joined.rows() < other.joined.rows() : connected;
    }
  }

  /** Returns the estimate of an inner join with a condition. */
  static Estimate inner(Estimate left, Estimate right, RexNode condition, RexBuilder rex) {
    int width = left.columns().size();
    List<ColumnPair> pairs = new ArrayList<>();
    List<RexNode> others = new ArrayList<>();
    for (RexNode one : RelOptUtil.conjunctions(condition)) {
      Optional<ColumnPair> pair = ColumnPair.of(width, one);
      pair.ifPresentOrElse(pairs::add, () -> others.add(one));
    }
    Estimate joined = left.joined(right, pairs);
    return new FilterShare(joined, rex).left(RexUtil.composeConjunction(rex, others));
  }

  private Estimate sort(LogicalSort sort) {
    Estimate input = of(sort.getInput());
    return sort.fetch instanceof RexLiteral fetch
        ? input.among(Math.min(1, fetch.getValueAs(Long.class) / input.rows()))
        : input;
  }

  private Estimate union(LogicalUnion union) {
    double rows = union.getInputs().stream().mapToDouble(this::rows).sum();
    return Estimate.of(rows, union.getRowType().getFieldCount());
  }
}
