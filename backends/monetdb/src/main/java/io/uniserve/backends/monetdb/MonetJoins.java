package io.uniserve.backends.monetdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.SqlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * A rewriting of joins into forms that MonetDBLite computes correctly.
 *
 * <p>MonetDBLite loses rows of a join on two columns or more. Therefore an inner join keeps one
 * equation, and a filter above it checks the others. They stand in a {@code CASE}, so that
 * MonetDBLite does not move them into the join. Other comparisons of columns above a join are
 * hidden in the same way. An outer join on several columns compares their texts instead. The
 * grammar has no joins in parentheses.
 *
 * <pre>
 * a JOIN (b JOIN c)            →   a JOIN (SELECT b.x AS c0, c.y AS c1 FROM b JOIN c)
 * ON a.x = b.x AND a.y = b.y   →   ON a.x = b.x WHERE CASE WHEN a.y = b.y THEN TRUE ELSE FALSE END
 * LEFT JOIN ... ON the same    →   ON a.x || ',' || a.y = b.x || ',' || b.y
 * </pre>
 */
final class MonetJoins {
  private MonetJoins() {}

  /** Rewrites a relation without changing its rows. */
  static RelNode written(RelNode rel) {
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : rel.getInputs()) {
      RelNode below = written(input);
      boolean filtered = below instanceof Filter && hasJoin(below);
      boolean nested =
          rel instanceof Join && (filtered || !inputs.isEmpty() && below instanceof Join);
      inputs.add(nested ? SqlText.renamed(below) : below);
    }
    RelNode above =
        inputs.equals(rel.getInputs()) ? rel : rel.copy(rel.getTraitSet(), List.copyOf(inputs));
    return switch (above) {
      case Join join -> oneEquation(join);
      case Filter filter when hasJoin(filter.getInput()) ->
          filter.copy(
              filter.getTraitSet(), filter.getInput(), hidden(filter, filter.getCondition()));
      default -> above;
    };
  }

  private static boolean hasJoin(RelNode rel) {
    return rel instanceof Join || rel.getInputs().stream().anyMatch(MonetJoins::hasJoin);
  }

  private static RelNode oneEquation(Join join) {
    RexBuilder rex = join.getCluster().getRexBuilder();
    List<RexNode> parts = RelOptUtil.conjunctions(join.getCondition());
    List<RexNode> comparing = parts.stream().filter(MonetJoins::compares).toList();
    if (comparing.size() <= 1) {
      return join;
    }
    if (join.getJoinType() != JoinRelType.INNER) {
      List<RexNode> others = parts.stream().filter(part -> !compares(part)).toList();
      List<RexNode> all = new ArrayList<>(others);
      all.add(onTexts(rex, join, comparing));
      return with(join, RexUtil.composeConjunction(rex, all));
    }
    Optional<RexNode> shown = comparing.stream().filter(MonetJoins::isEquation).findFirst();
    List<RexNode> kept =
        parts.stream()
            .filter(part -> !compares(part) || shown.filter(part::equals).isPresent())
            .toList();
    List<RexNode> above =
        comparing.stream()
            .filter(part -> shown.filter(part::equals).isEmpty())
            .map(part -> inCase(rex, part))
            .toList();
    return LogicalFilter.create(
        with(join, RexUtil.composeConjunction(rex, kept)), RexUtil.composeConjunction(rex, above));
  }

  private static Join with(Join join, RexNode condition) {
    return join.copy(
        join.getTraitSet(),
        condition,
        join.getLeft(),
        join.getRight(),
        join.getJoinType(),
        join.isSemiJoinDone());
  }

  /**
   * Returns one equation for several of whole numbers or days. Such values are equal if their texts
   * are.
   */
  private static RexNode onTexts(RexBuilder rex, Join join, List<RexNode> equations) {
    int middle = join.getLeft().getRowType().getFieldCount();
    List<RexNode> left = new ArrayList<>();
    List<RexNode> right = new ArrayList<>();
    for (RexNode part : equations) {
      if (!isEquation(part)) {
        throw refused(join);
      }
      for (RexNode operand : ((RexCall) part).getOperands()) {
        if (!SqlTypeUtil.isIntType(operand.getType()) && !SqlTypeUtil.isDate(operand.getType())) {
          throw refused(join);
        }
        (((RexInputRef) operand).getIndex() < middle ? left : right).add(operand);
      }
    }
    if (left.size() != right.size()) {
      throw refused(join);
    }
    return rex.makeCall(SqlStdOperatorTable.EQUALS, text(rex, left), text(rex, right));
  }

  private static UniserveException refused(Join join) {
    return new UniserveException(
        ErrorCode.UNSUPPORTED,
        "SQL: actors in MonetDB do not compute "
            + join.getJoinType()
            + " JOIN on more than one comparison, unless all are equations of whole numbers or dates");
  }

  private static RexNode text(RexBuilder rex, List<RexNode> columns) {
    RelDataType text = rex.getTypeFactory().createSqlType(SqlTypeName.VARCHAR);
    RexNode all = null;
    for (RexNode column : columns) {
      RexNode one = rex.makeAbstractCast(text, column, false);
      all =
          all == null
              ? one
              : rex.makeCall(
                  SqlStdOperatorTable.CONCAT,
                  rex.makeCall(SqlStdOperatorTable.CONCAT, all, rex.makeLiteral(",")),
                  one);
    }
    return all;
  }

  /** Returns a condition with all comparisons of columns hidden. */
  private static RexNode hidden(RelNode rel, RexNode condition) {
    RexBuilder rex = rel.getCluster().getRexBuilder();
    return RexUtil.composeConjunction(
        rex,
        RelOptUtil.conjunctions(condition).stream()
            .map(part -> compares(part) ? inCase(rex, part) : part)
            .toList());
  }

  private static boolean compares(RexNode part) {
    return RelOptUtil.InputFinder.bits(part).cardinality() > 1;
  }

  private static boolean isEquation(RexNode part) {
    return part.getKind() == SqlKind.EQUALS
        && ((RexCall) part).getOperands().stream().allMatch(RexInputRef.class::isInstance);
  }

  private static RexNode inCase(RexBuilder rex, RexNode part) {
    return rex.makeCall(
        SqlStdOperatorTable.CASE, part, rex.makeLiteral(true), rex.makeLiteral(false));
  }
}
