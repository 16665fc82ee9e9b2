package io.uniserve.sql.planner;

import io.uniserve.sql.estimates.Estimates;
import io.uniserve.sql.planner.PlanFragment.Place;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The placement of joins of two pieces. A join runs in the actors if the pieces are co-located or
 * one side is in all actors. Otherwise the cheapest way is taken: in the actors after shipping one
 * side to all of them, in the actors after spreading one or both sides by the joined columns, or at
 * the client.
 */
final class Joins {
  /**
   * The cost of spreading a row, which is examined and copied, while a shipped row is only copied.
   */
  static final double SPREAD_COST = 2;

  /** The fixed cost of sending, in rows. */
  static final double SEND_COST = 5_000;

  private final Stages stages;
  private final Estimates estimates;

  Joins(Stages stages, Estimates estimates) {
    this.stages = stages;
    this.estimates = estimates;
  }

  /** Places an outer, semi or anti join. */
  PlanFragment place(LogicalJoin join, PlanFragment left, PlanFragment right) {
    return place(join, left, right, estimates.rows(join));
  }

  PlanFragment place(LogicalJoin join, PlanFragment left, PlanFragment right, double rows) {
    PlanFragment moved = once(join, right);
    Way way = way(left, moved, join.getCondition(), join.getJoinType());
    PlanFragment a = left;
    PlanFragment b = right;
    switch (way.how) {
      case LEFT_BROADCAST -> a = PlanFragment.everywhere(stages.everywhere(left), left.rows());
      case RIGHT_BROADCAST -> b = PlanFragment.everywhere(stages.everywhere(moved), moved.rows());
      case SPREAD -> {
        a = way.leftBy.isEmpty() ? left : stages.spread(left, way.leftBy);
        b = way.rightBy.isEmpty() ? right : stages.spread(moved, way.rightBy);
      }
      case AT_CLIENT -> {
        a = PlanFragment.client(stages.atClient(left), left.rows());
        b = PlanFragment.client(stages.atClient(right), right.rows());
      }
      case IN_PLACE -> {}
    }
    RelNode rel =
        join.copy(
            join.getTraitSet(),
            join.getCondition(),
            a.rel(),
            b.rel(),
            join.getJoinType(),
            join.isSemiJoinDone());
    return a.is(Place.SPREAD) || b.is(Place.SPREAD)
        ? PlanFragment.spread(rel, keys(a, b, join.getJoinType()), rows)
        : new PlanFragment(rel, a.place(), List.of(), rows);
  }

  /** Removes duplicates of a semi-join's keys in each actor, if that leaves fewer rows. */
  private PlanFragment once(LogicalJoin join, PlanFragment right) {
    if (join.getJoinType().projectsRight() || !right.is(Place.SPREAD)) {
      return right;
    }
    ImmutableBitSet all = ImmutableBitSet.range(right.width());
    double values = estimates.groups(join.getRight(), all) * stages.actors();
    if (values > right.rows()) {
      return right;
    }
    RelNode rel = LogicalAggregate.create(right.rel(), List.of(), all, null, List.of());
    return PlanFragment.spread(rel, right.keys(), values);
  }

  /** Returns the keys of the join. A side whose columns may be filled up with nulls has none. */
  private static List<List<Integer>> keys(PlanFragment left, PlanFragment right, JoinRelType type) {
    List<List<Integer>> keys = new ArrayList<>();
    if (!type.generatesNullsOnLeft()) {
      keys.addAll(left.keys());
    }
    if (type.projectsRight() && !type.generatesNullsOnRight()) {
      right
          .keys()
          .forEach(key -> keys.add(key.stream().map(column -> column + left.width()).toList()));
    }
    return keys;
  }

  /** The ways to place a join. */
  enum JoinDistribution {
    IN_PLACE,
    LEFT_BROADCAST,
    RIGHT_BROADCAST,
    SPREAD,
    AT_CLIENT
  }

  /**
   * A way to place one join.
   *
   * @param leftBy the columns by which {@link JoinDistribution#SPREAD} spreads the left side; none
   *     if it stays
   * @param rightBy the same for the right side
   * @param cost the cost of moving rows, in rows
   */
  record Way(JoinDistribution how, List<Integer> leftBy, List<Integer> rightBy, double cost) {
    private static Way of(JoinDistribution how, double cost) {
      return new Way(how, List.of(), List.of(), cost);
    }
  }

  /** Returns the cheapest way. */
  Way way(PlanFragment left, PlanFragment right, RexNode condition, JoinRelType type) {
    boolean leftMayShip = type == JoinRelType.INNER || type == JoinRelType.RIGHT;
    boolean rightMayShip = type != JoinRelType.RIGHT && type != JoinRelType.FULL;
    Way atClient = Way.of(JoinDistribution.AT_CLIENT, moved(left) + moved(right));
    if (left.place() == right.place() && !left.is(Place.SPREAD)) {
      return Way.of(JoinDistribution.IN_PLACE, 0);
    }
    if (left.is(Place.SPREAD) && right.is(Place.SPREAD)) {
      return spread(left, right, condition, leftMayShip, rightMayShip, atClient);
    }
    if (left.is(Place.SPREAD) && rightMayShip) {
      return beside(right, left, JoinDistribution.RIGHT_BROADCAST, atClient);
    }
    if (right.is(Place.SPREAD) && leftMayShip) {
      return beside(left, right, JoinDistribution.LEFT_BROADCAST, atClient);
    }
    return atClient;
  }

  private static double moved(PlanFragment piece) {
    return piece.is(Place.CLIENT) ? 0 : piece.rows();
  }

  /**
   * Returns the cheaper of shipping a side from the client to the actors and joining at the client.
   */
  private static Way beside(
      PlanFragment other, PlanFragment spread, JoinDistribution shipped, Way atClient) {
    if (other.is(Place.REPLICATED)) {
      return Way.of(JoinDistribution.IN_PLACE, 0);
    }
    return other.rows() < spread.rows() ? Way.of(shipped, other.rows()) : atClient;
  }

  private Way spread(
      PlanFragment left,
      PlanFragment right,
      RexNode condition,
      boolean leftMayShip,
      boolean rightMayShip,
      Way atClient) {
    JoinInfo info = JoinInfo.of(left.rel(), right.rel(), condition);
    List<Integer> leftBy = new ArrayList<>();
    List<Integer> rightBy = new ArrayList<>();
    for (int i = 0; i < info.leftKeys.size(); i++) {
      int column = info.leftKeys.get(i);
      if (left.canBeSpreadBy(column) && left.kind(column) == right.kind(info.rightKeys.get(i))) {
        leftBy.add(column);
        rightBy.add(info.rightKeys.get(i));
      }
    }
    if (left.keys().stream()
        .anyMatch(a -> right.keys().stream().anyMatch(b -> meet(a, b, leftBy, rightBy)))) {
      return Way.of(JoinDistribution.IN_PLACE, 0);
    }
    List<Way> ways = new ArrayList<>();
    if (leftMayShip) {
      ways.add(Way.of(JoinDistribution.LEFT_BROADCAST, SEND_COST + left.rows() * stages.actors()));
    }
    if (rightMayShip) {
      ways.add(
          Way.of(JoinDistribution.RIGHT_BROADCAST, SEND_COST + right.rows() * stages.actors()));
    }
    if (!leftBy.isEmpty()) {
      double both = SPREAD_COST * (left.rows() + right.rows());
      ways.add(new Way(JoinDistribution.SPREAD, leftBy, rightBy, 2 * SEND_COST + both));
    }
    for (List<Integer> key : left.keys()) {
      List<Integer> met = meeting(key, leftBy, rightBy);
      if (!met.contains(-1)) {
        double cost = SEND_COST + SPREAD_COST * right.rows();
        ways.add(new Way(JoinDistribution.SPREAD, List.of(), met, cost));
      }
    }
    for (List<Integer> key : right.keys()) {
      List<Integer> met = meeting(key, rightBy, leftBy);
      if (!met.contains(-1)) {
        double cost = SEND_COST + SPREAD_COST * left.rows();
        ways.add(new Way(JoinDistribution.SPREAD, met, List.of(), cost));
      }
    }
    return ways.stream().min(Comparator.comparingDouble(Way::cost)).orElse(atClient);
  }

  /**
   * Returns whether each column of one key is compared with the corresponding column of the other.
   */
  private static boolean meet(
      List<Integer> a, List<Integer> b, List<Integer> leftBy, List<Integer> rightBy) {
    return a.size() == b.size()
        && IntStream.range(0, a.size())
            .allMatch(
                i ->
                    IntStream.range(0, leftBy.size())
                        .anyMatch(
                            pair ->
                                leftBy.get(pair).equals(a.get(i))
                                    && rightBy.get(pair).equals(b.get(i))));
  }

  /** Returns the column with which each column of a key is compared, or -1. */
  private static List<Integer> meeting(
      List<Integer> key, List<Integer> columns, List<Integer> others) {
    return key.stream()
        .map(column -> columns.contains(column) ? others.get(columns.indexOf(column)) : -1)
        .toList();
  }
}
