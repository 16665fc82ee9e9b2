package io.uniserve.sql.rewrites;

import java.util.List;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * A rewriting of inequality with any row of a sub-query, and so of equality with all, to two
 * comparisons. Calcite's own rewriting of the inequality confuses columns {@code c} and {@code m}
 * of the outer query with its own.
 *
 * <pre>
 * x &lt;&gt; any (q)  →  x &lt; any (q) or x &gt; any (q)
 * </pre>
 */
final class Inequalities extends RexShuttle {
  private final RexBuilder rex;

  private Inequalities(RexBuilder rex) {
    this.rex = rex;
  }

  /** Returns a query with the rewritten inequalities. */
  static RelNode replaced(RelNode query) {
    Inequalities inequalities = new Inequalities(query.getCluster().getRexBuilder());
    return query.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode rel) {
            return super.visit(rel).accept(inequalities);
          }
        });
  }

  @Override
  public RexNode visitSubQuery(RexSubQuery query) {
    RexSubQuery same = (RexSubQuery) super.visitSubQuery(query);
    RexSubQuery within = same.clone(replaced(same.rel));
    return within.getOperator() instanceof SqlQuantifyOperator operator
            && within.getKind() == SqlKind.SOME
            && operator.comparisonKind == SqlKind.NOT_EQUALS
        ? rex.makeCall(
            SqlStdOperatorTable.OR,
            List.of(
                compared(within, SqlStdOperatorTable.SOME_LT),
                compared(within, SqlStdOperatorTable.SOME_GT)))
        : within;
  }

  private static RexNode compared(RexSubQuery query, SqlQuantifyOperator operator) {
    return RexSubQuery.some(query.rel, query.operands, operator);
  }
}
