package io.uniserve.sqlplanner;

import io.uniserve.sqlplanner.Piece.Place;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexNode;

/**
 * Places a join of two pieces: in the actors where they are co-located or one side is in all of
 * them; in the actors after one side, the smaller if both may, was shipped; or at the client.
 */
final class Joins {
  private final Stages stages;

  Joins(Stages stages) {
    this.stages = stages;
  }

  Piece place(LogicalJoin join, Piece left, Piece right, double rows) {
    Way way = way(left, right, join.getCondition(), join.getJoinType());
    RelNode a = left.rel();
    RelNode b = right.rel();
    switch (way) {
      case LEFT_SHIPPED -> a = stages.everywhere(left);
      case RIGHT_SHIPPED -> b = stages.everywhere(right);
      case AT_CLIENT -> {
        a = stages.atClient(left);
        b = stages.atClient(right);
      }
      case IN_PLACE -> {}
    }
    RelNode rel =
        join.copy(
            join.getTraitSet(),
            join.getCondition(),
            a,
            b,
            join.getJoinType(),
            join.isSemiJoinDone());
    return switch (way) {
      case AT_CLIENT -> Piece.client(rel, rows);
      case LEFT_SHIPPED ->
          Piece.spread(rel, keys(List.of(), right, left.width(), join.getJoinType()), rows);
      case RIGHT_SHIPPED -> Piece.spread(rel, left.keys(), rows);
      case IN_PLACE -> inPlace(rel, left, right, join.getJoinType(), rows);
    };
  }

  private static Piece inPlace(
      RelNode rel, Piece left, Piece right, JoinRelType type, double rows) {
    if (left.is(Place.SPREAD) || right.is(Place.SPREAD)) {
      return Piece.spread(rel, keys(left.keys(), right, left.width(), type), rows);
    }
    return new Piece(rel, left.place(), List.of(), rows);
  }

  /** A side whose rows may be filled up with nulls is spread by nothing any more. */
  private static List<List<Integer>> keys(
      List<List<Integer>> left, Piece right, int width, JoinRelType type) {
    List<List<Integer>> keys = new ArrayList<>();
    if (!type.generatesNullsOnLeft()) {
      keys.addAll(left);
    }
    if (type.projectsRight() && !type.generatesNullsOnRight()) {
      right.keys().forEach(key -> keys.add(key.stream().map(column -> column + width).toList()));
    }
    return keys;
  }

  /** How a join can come about. */
  enum Way {
    IN_PLACE,
    LEFT_SHIPPED,
    RIGHT_SHIPPED,
    AT_CLIENT
  }

  /** The way that moves least. */
  static Way way(Piece left, Piece right, RexNode condition, JoinRelType type) {
    boolean leftMayShip = type == JoinRelType.INNER || type == JoinRelType.RIGHT;
    boolean rightMayShip = type != JoinRelType.RIGHT && type != JoinRelType.FULL;
    if (left.place() == right.place() && !left.is(Place.SPREAD)) {
      return Way.IN_PLACE;
    }
    if (left.is(Place.SPREAD) && right.is(Place.SPREAD)) {
      if (coLocated(left, right, condition)) {
        return Way.IN_PLACE;
      }
      if (leftMayShip && (!rightMayShip || left.rows() < right.rows())) {
        return Way.LEFT_SHIPPED;
      }
      return rightMayShip ? Way.RIGHT_SHIPPED : Way.AT_CLIENT;
    }
    if (left.is(Place.SPREAD) && rightMayShip) {
      return right.is(Place.EVERYWHERE) ? Way.IN_PLACE : smaller(right, left, Way.RIGHT_SHIPPED);
    }
    if (right.is(Place.SPREAD) && leftMayShip) {
      return left.is(Place.EVERYWHERE) ? Way.IN_PLACE : smaller(left, right, Way.LEFT_SHIPPED);
    }
    return Way.AT_CLIENT;
  }

  /** What is at the client goes to the actors only if that is less than the other way. */
  private static Way smaller(Piece atClient, Piece spread, Way shipped) {
    return atClient.rows() < spread.rows() ? shipped : Way.AT_CLIENT;
  }

  /** About how many rows a way moves. */
  static double moved(Way way, Piece left, Piece right) {
    return switch (way) {
      case IN_PLACE -> 0;
      case LEFT_SHIPPED -> left.rows();
      case RIGHT_SHIPPED -> right.rows();
      case AT_CLIENT ->
          (left.is(Place.CLIENT) ? 0 : left.rows()) + (right.is(Place.CLIENT) ? 0 : right.rows());
    };
  }

  /** Whether equality of all columns of a key on both sides follows from the condition. */
  static boolean coLocated(Piece left, Piece right, RexNode condition) {
    JoinInfo info = JoinInfo.of(left.rel(), right.rel(), condition);
    return left.keys().stream()
        .anyMatch(a -> right.keys().stream().anyMatch(b -> matches(info, left, right, a, b)));
  }

  private static boolean matches(
      JoinInfo info, Piece left, Piece right, List<Integer> a, List<Integer> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!equal(info, a.get(i), b.get(i)) || !sameKind(left, right, a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean equal(JoinInfo info, int left, int right) {
    for (int i = 0; i < info.leftKeys.size(); i++) {
      if (info.leftKeys.get(i) == left && info.rightKeys.get(i) == right) {
        return true;
      }
    }
    return false;
  }

  /** Values that are equal have the same partition key only if they are of one kind. */
  private static boolean sameKind(Piece left, Piece right, int a, int b) {
    return PartitionKind.of(left.rel().getRowType().getFieldList().get(a).getType())
        == PartitionKind.of(right.rel().getRowType().getFieldList().get(b).getType());
  }
}
