package io.uniserve.backends.monetdb;

import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;

/**
 * A rewriting of lists of values that MonetDBLite misreads. MonetDBLite filters by a list first,
 * even if the list stands within a {@code CASE}. It is right only for lists under nothing but
 * {@code AND}, {@code OR} and {@code NOT}. All other lists become comparisons.
 *
 * <pre>
 * CASE WHEN a IN (1, 2) OR b = 3 ...   →   CASE WHEN a = 1 OR a = 2 OR b = 3 ...
 * </pre>
 */
final class MonetLists extends RelHomogeneousShuttle {
  private MonetLists() {}

  /** Rewrites a relation without changing its rows. */
  static RelNode written(RelNode rel) {
    return rel.accept(new MonetLists());
  }

  @Override
  public RelNode visit(RelNode node) {
    return super.visit(node).accept(new Compared(node.getCluster().getRexBuilder()));
  }

  private static final class Compared extends RexShuttle {
    private final RexBuilder rex;

    Compared(RexBuilder rex) {
      this.rex = rex;
    }

    @Override
    public RexNode visitCall(RexCall call) {
      return switch (call.getKind()) {
        case SEARCH -> call;
        case AND, OR, NOT -> super.visitCall(call);
        default -> RexUtil.expandSearch(rex, null, call);
      };
    }
  }
}
