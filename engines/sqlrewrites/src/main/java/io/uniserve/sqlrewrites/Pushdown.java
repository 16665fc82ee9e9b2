package io.uniserve.sqlrewrites;

import io.uniserve.api.UniserveException;
import io.uniserve.sqlsyntax.CalciteErrors;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.tools.RelBuilder;

/**
 * Algebra as it is best computed wherever that is: without sub-queries, each filter as deep as it
 * goes, no column that nobody reads, and semi-joins where only whether there is a row is asked.
 */
public final class Pushdown {
  private static final List<RelOptRule> UNNEST =
      List.of(
          CoreRules.FILTER_SUB_QUERY_TO_CORRELATE,
          CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
          CoreRules.JOIN_SUB_QUERY_TO_CORRELATE);

  /** What a disjunction says of each table alone can be pushed to it. */
  private static final List<RelOptRule> EXPAND = List.of(LongDisjunctions.OF_FILTERS);

  private static final List<RelOptRule> PUSH =
      List.of(
          CoreRules.FILTER_INTO_JOIN,
          CoreRules.JOIN_CONDITION_PUSH,
          CoreRules.FILTER_PROJECT_TRANSPOSE,
          CoreRules.FILTER_AGGREGATE_TRANSPOSE,
          CoreRules.FILTER_SET_OP_TRANSPOSE,
          CoreRules.FILTER_MERGE,
          CoreRules.PROJECT_MERGE,
          CoreRules.PROJECT_REMOVE);

  private Pushdown() {}

  /**
   * The same query so.
   *
   * @throws UniserveException naming what Calcite cannot do
   */
  public static RelNode of(RelNode query) {
    return CalciteErrors.translated(
        () -> {
          RelBuilder builder = RelFactories.LOGICAL_BUILDER.create(query.getCluster(), null);
          RelNode flat = RelDecorrelator.decorrelateQuery(rewrite(query, UNNEST), builder);
          RelNode pushed = rewrite(rewrite(factored(flat), EXPAND), PUSH);
          return SemiJoins.of(new Trimmer(builder).trim(pushed));
        });
  }

  /** What every part of a disjunction says stands beside it: a join may be by it. */
  private static RelNode factored(RelNode rel) {
    RexBuilder rex = rel.getCluster().getRexBuilder();
    return rel.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode node) {
            RelNode below = super.visit(node);
            return below instanceof Filter filter
                ? filter.copy(
                    filter.getTraitSet(),
                    filter.getInput(),
                    RexUtil.pullFactors(rex, filter.getCondition()))
                : below;
          }
        });
  }

  private static RelNode rewrite(RelNode rel, List<RelOptRule> rules) {
    HepPlanner planner = new HepPlanner(HepProgram.builder().addRuleCollection(rules).build());
    planner.setRoot(rel);
    return planner.findBestExp();
  }
}
