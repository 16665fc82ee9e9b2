package io.uniserve.sql.rewrites;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * A rewriting of conditions to a shorter form with the same meaning in every database. It computes
 * nothing.
 *
 * <pre>
 * x = 1 or x = 2 or x = 3              →   x in (1, 2, 3)
 * not (x is not null)                  →   x is null
 * y is not null, of a y that never is  →   true
 * x = x, where rows are chosen         →   x is not null
 * </pre>
 *
 * So a long list is one node instead of a deep tree.
 */
public final class Conditions extends RexShuttle {
  private final RexBuilder rex;

  private Conditions(RexBuilder rex) {
    this.rex = rex;
  }

  /** Returns a query with shortened conditions. */
  public static RelNode shortened(RelNode query) {
    Conditions conditions = new Conditions(query.getCluster().getRexBuilder());
    return query.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode rel) {
            return conditions.in(super.visit(rel));
          }
        });
  }

  private RelNode in(RelNode rel) {
    return switch (rel) {
      case Filter filter -> {
        RexNode condition = chosen(filter.getCondition());
        yield condition.isAlwaysTrue() && filter.getVariablesSet().isEmpty()
            ? filter.getInput()
            : condition.equals(filter.getCondition())
                ? filter
                : filter.copy(filter.getTraitSet(), filter.getInput(), condition);
      }
      case Join join -> {
        RexNode condition = chosen(join.getCondition());
        yield condition.equals(join.getCondition())
            ? join
            : join.copy(
                join.getTraitSet(),
                condition,
                join.getLeft(),
                join.getRight(),
                join.getJoinType(),
                join.isSemiJoinDone());
      }
      case Project project -> {
        List<RexNode> columns = project.getProjects().stream().map(this::ofSameType).toList();
        yield columns.equals(project.getProjects())
            ? project
            : project.copy(
                project.getTraitSet(), project.getInput(), columns, project.getRowType());
      }
      default -> rel;
    };
  }

  private RexNode ofSameType(RexNode value) {
    RexNode other = value.accept(this);
    return other.getType().equals(value.getType()) ? other : value;
  }

  /** Rewrites a condition of a filter, where unknown counts as false. */
  private RexNode chosen(RexNode condition) {
    List<RexNode> parts = new ArrayList<>();
    for (RexNode part : RelOptUtil.conjunctions(condition.accept(this))) {
      parts.add(
          part instanceof RexCall call
                  && call.isA(SqlKind.EQUALS)
                  && call.operands.get(0) instanceof RexInputRef column
                  && call.operands.get(1).equals(column)
              ? isNotNull(column)
              : part);
    }
    return RexUtil.composeConjunction(rex, parts);
  }

  private RexNode isNotNull(RexInputRef column) {
    return column.getType().isNullable()
        ? rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, column)
        : rex.makeLiteral(true);
  }

  @Override
  public RexNode visitSubQuery(RexSubQuery query) {
    RexSubQuery same = (RexSubQuery) super.visitSubQuery(query);
    return same.clone(shortened(same.rel));
  }

  @Override
  public RexNode visitCall(RexCall call) {
    RexNode same = super.visitCall(call);
    return same instanceof RexCall shorter ? shortened(shorter) : same;
  }

  private RexNode shortened(RexCall call) {
    return switch (call.getKind()) {
      case AND -> RexUtil.composeConjunction(rex, call.getOperands());
      case OR -> RexUtil.composeDisjunction(rex, listed(RelOptUtil.disjunctions(call)));
      case NOT -> negated(call, call.getOperands().getFirst());
      case IS_NOT_NULL ->
          call.getOperands().getFirst() instanceof RexInputRef column ? isNotNull(column) : call;
      case IS_NULL -> isNeverNull(call.getOperands().getFirst()) ? rex.makeLiteral(false) : call;
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          plain(call);
      default -> call;
    };
  }

  /** Rewrites a comparison. An exact number compares equally in every type that can hold it. */
  private RexNode plain(RexCall comparison) {
    List<RexNode> sides = comparison.getOperands().stream().map(this::plain).toList();
    return sides.equals(comparison.getOperands())
        ? comparison
        : rex.makeCall(comparison.getOperator(), sides);
  }

  private RexNode plain(RexNode side) {
    return side.isA(SqlKind.CAST)
            && ((RexCall) side).getOperands().getFirst() instanceof RexLiteral number
            && !number.isNull()
            && SqlTypeUtil.isExactNumeric(number.getType())
            && SqlTypeUtil.isExactNumeric(side.getType())
            && rex.makeCast(side.getType(), number) instanceof RexLiteral same
        ? same
        : side;
  }

  private static boolean isNeverNull(RexNode value) {
    return value instanceof RexInputRef column && !column.getType().isNullable();
  }

  private RexNode negated(RexCall not, RexNode value) {
    return switch (value.getKind()) {
      case IS_NULL -> rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, ((RexCall) value).operands);
      case IS_NOT_NULL -> rex.makeCall(SqlStdOperatorTable.IS_NULL, ((RexCall) value).operands);
      case NOT -> ((RexCall) value).getOperands().getFirst();
      default ->
          value.isAlwaysTrue() || value.isAlwaysFalse()
              ? rex.makeLiteral(value.isAlwaysFalse())
              : not;
    };
  }

  /**
   * A value that is compared with literals of one type.
   *
   * @param scale the scale of decimals; within one list all would get the largest
   */
  private record Compared(RexNode value, SqlTypeName type, int scale) {}

  /**
   * Rewrites the parts of a disjunction, so that equalities of one value with several literals
   * become one part.
   */
  private List<RexNode> listed(List<RexNode> parts) {
    Map<Compared, List<RexNode>> lists = new LinkedHashMap<>();
    Map<RexNode, Compared> places = new LinkedHashMap<>();
    for (RexNode part : parts) {
      Compared compared = compared(part);
      if (compared != null) {
        places.put(part, compared);
        lists.computeIfAbsent(compared, none -> new ArrayList<>()).add(literal((RexCall) part));
      }
    }
    List<RexNode> all = new ArrayList<>();
    for (RexNode part : parts) {
      Compared compared = places.get(part);
      List<RexNode> list = compared == null ? null : lists.remove(compared);
      if (compared == null) {
        all.add(part);
      } else if (list != null) {
        all.add(list.size() == 1 ? part : rex.makeIn(compared.value, list));
      }
    }
    return all;
  }

  private static @Nullable Compared compared(RexNode part) {
    if (!(part instanceof RexCall call) || !call.isA(SqlKind.EQUALS)) {
      return null;
    }
    RexNode literal = literal(call);
    RexNode value = literal == call.operands.get(0) ? call.operands.get(1) : call.operands.get(0);
    return literal instanceof RexLiteral known
            && !known.isNull()
            && !(value instanceof RexLiteral)
            && isListed(value.getType(), known.getType())
            && RexUtil.isDeterministic(value)
        ? new Compared(value, known.getType().getSqlTypeName(), known.getType().getScale())
        : null;
  }

  private static RexNode literal(RexCall equals) {
    return equals.operands.get(0) instanceof RexLiteral
        ? equals.operands.get(0)
        : equals.operands.get(1);
  }

  private static boolean isListed(RelDataType value, RelDataType literal) {
    return SqlTypeUtil.inSameFamily(value, literal)
        && (literal.getFamily() == SqlTypeFamily.NUMERIC
            || literal.getFamily() == SqlTypeFamily.CHARACTER
            || literal.getFamily() == SqlTypeFamily.DATE);
  }
}
