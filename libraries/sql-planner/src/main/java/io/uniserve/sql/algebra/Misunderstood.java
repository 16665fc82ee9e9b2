package io.uniserve.sql.algebra;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/** A check for queries whose meaning Calcite would change when it unnests sub-queries. */
final class Misunderstood {
  private Misunderstood() {}

  /**
   * Checks that a query has no such part.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED}, naming the part
   */
  static void requireNone(RelNode query) {
    Set<RexNode> choosing = Collections.newSetFromMap(new IdentityHashMap<>());
    RexShuttle expressions =
        new RexShuttle() {
          @Override
          public RexNode visitSubQuery(RexSubQuery asked) {
            check(asked);
            if (isOfRows(asked) && !choosing.contains(asked)) {
              // Some rows would come twice.
              throw unsupported("rows that may be null in a sub-query");
            }
            requireNone(asked.rel);
            return super.visitSubQuery(asked);
          }
        };
    query.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode rel) {
            if (rel instanceof Filter filter) {
              choosing.addAll(RelOptUtil.conjunctions(filter.getCondition()));
            }
            rel.accept(expressions);
            if (rel instanceof LogicalAggregate aggregate) {
              check(aggregate);
              if (groupsByConstants(aggregate) && asks(aggregate)) {
                throw unsupported("groups of constants beside a sub-query");
              }
            }
            if (rel instanceof Uncollect) {
              throw unsupported("UNNEST"); // a left join may lose rows of empty lists
            }
            if (rel instanceof Correlate correlate && hasWindow(correlate.getRight())) {
              throw unsupported("a window in a query that depends on the rows beside it");
            }
            return super.visit(rel);
          }
        });
  }

  /** Returns whether a sub-query compares rows of several columns, some of which may be null. */
  private static boolean isOfRows(RexSubQuery asked) {
    return asked.getOperands().size() > 1
        && (asked.getOperands().stream().anyMatch(side -> side.getType().isNullable())
            || asked.rel.getRowType().getFieldList().stream()
                .anyMatch(column -> column.getType().isNullable()));
  }

  private static void check(RexSubQuery asked) {
    if ((asked.getKind() == SqlKind.SOME || asked.getKind() == SqlKind.ALL)
        && asked.getOperands().size() > 1) {
      throw unsupported("a comparison of rows with ANY or ALL of a sub-query");
    }
    if (hasGroupOfNothing(asked.rel)) {
      throw unsupported("a sub-query with a group of all rows among several sets of groups");
    }
    Variables variables = new Variables();
    variables.collect(asked.rel);
    if (variables.ofQueriesWithin.stream().anyMatch(name -> !variables.own.contains(name))) {
      throw unsupported("a sub-query within another that depends on a row of neither");
    }
    if (!variables.ofQueriesWithin.isEmpty()) {
      throw unsupported("a sub-query with another within that depends on its rows");
    }
    boolean depends = !variables.own.containsAll(variables.used);
    if (depends && hasWindow(asked.rel)) {
      throw unsupported("a window in a sub-query that depends on a row of the outer query");
    }
    if (depends && variables.quantified) {
      throw unsupported(
          "a comparison with ANY or ALL in a sub-query that depends on a row of the outer query");
    }
    if (depends
        && asked.getOperands().stream().anyMatch(side -> RexUtil.isNullLiteral(side, true))) {
      throw unsupported("NULL compared with a sub-query that depends on a row of the outer query");
    }
  }

  /**
   * The correlation variables of a query: rows of other queries that it depends on, and its own
   * rows that others depend on.
   */
  private static final class Variables extends RexShuttle {
    private final Set<CorrelationId> used = new HashSet<>();
    private final Set<CorrelationId> own = new HashSet<>();
    private final Set<CorrelationId> ofQueriesWithin = new HashSet<>();

    /** True if it compares with ANY or ALL of a query within. */
    private boolean quantified;

    void collect(RelNode rel) {
      own.addAll(rel.getVariablesSet());
      rel.accept(this);
      rel.getInputs().forEach(this::collect);
    }

    @Override
    public RexNode visitCorrelVariable(RexCorrelVariable variable) {
      used.add(variable.id);
      return variable;
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery query) {
      quantified |= query.getKind() == SqlKind.SOME || query.getKind() == SqlKind.ALL;
      Variables within = new Variables();
      within.collect(query.rel);
      within.used.removeAll(within.own);
      used.addAll(within.used);
      ofQueriesWithin.addAll(within.used);
      return super.visitSubQuery(query);
    }
  }

  /**
   * Returns whether a node may make a row from no rows although Calcite takes its result for empty.
   */
  private static boolean hasGroupOfNothing(RelNode rel) {
    return rel instanceof LogicalAggregate aggregate
            && aggregate.getGroupSets().size() > 1
            && aggregate.getGroupSets().stream().anyMatch(ImmutableBitSet::isEmpty)
        || rel.getInputs().stream().anyMatch(Misunderstood::hasGroupOfNothing);
  }

  /**
   * Returns whether a node groups by constants. Calcite treats this as one group of all rows, which
   * exists even without rows.
   */
  private static boolean groupsByConstants(LogicalAggregate aggregate) {
    return !aggregate.getGroupSet().isEmpty()
        && aggregate.getInput() instanceof Project project
        && aggregate.getGroupSet().asList().stream()
            .allMatch(key -> project.getProjects().get(key) instanceof RexLiteral);
  }

  /** Returns whether a node has a sub-query. */
  private static boolean asks(RelNode rel) {
    boolean itself =
        switch (rel) {
          case Filter filter -> RexUtil.SubQueryFinder.containsSubQuery(filter);
          case Project project -> RexUtil.SubQueryFinder.containsSubQuery(project);
          case Join join -> RexUtil.SubQueryFinder.containsSubQuery(join);
          default -> false;
        };
    return itself || rel.getInputs().stream().anyMatch(Misunderstood::asks);
  }

  private static boolean hasWindow(RelNode rel) {
    return rel instanceof Project project && RexOver.containsOver(project.getProjects(), null)
        || rel.getInputs().stream().anyMatch(Misunderstood::hasWindow);
  }

  /**
   * Checks an aggregate. An aggregate of columns of an outer query alone belongs to the outer
   * query.
   */
  private static void check(LogicalAggregate aggregate) {
    if (!(aggregate.getInput() instanceof Project project)) {
      return;
    }
    aggregate.getAggCallList().stream()
        .flatMap(call -> call.getArgList().stream())
        .map(project.getProjects()::get)
        .filter(Misunderstood::isOuter)
        .findFirst()
        .ifPresent(
            value -> {
              throw unsupported("an aggregate of columns of an outer query");
            });
  }

  private static boolean isOuter(RexNode value) {
    boolean[] found = new boolean[2];
    new RexVisitorImpl<Void>(true) {
      @Override
      public Void visitInputRef(RexInputRef own) {
        found[0] = true;
        return null;
      }

      @Override
      public Void visitFieldAccess(RexFieldAccess access) {
        found[1] |= access.getReferenceExpr() instanceof RexCorrelVariable;
        return super.visitFieldAccess(access);
      }
    }.visitEach(List.of(value));
    return found[1] && !found[0];
  }

  private static UniserveException unsupported(String what) {
    return new UniserveException(ErrorCode.UNSUPPORTED, "SQL: " + what + " is not supported");
  }
}
