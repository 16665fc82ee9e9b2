package io.uniserve.sql.rewrites;

import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.Unsimplified;
import io.uniserve.sql.syntax.CalciteErrors;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.FilterAggregateTransposeRule;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The rewriting of algebra that helps in every place: it unnests sub-queries, pushes filters down,
 * removes unused columns, and makes semi-joins of joins that only check existence.
 */
public final class Pushdown {
  private static final List<RelOptRule> UNNEST =
      List.of(
          plain(CoreRules.FILTER_SUB_QUERY_TO_CORRELATE),
          plain(CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE),
          plain(CoreRules.JOIN_SUB_QUERY_TO_CORRELATE));

  /**
   * The rules that derive conditions on single tables from disjunctions, so that they can be pushed
   * down.
   */
  private static final List<RelOptRule> EXPAND = List.of(LongDisjunctions.OF_FILTERS);

  private static final ImmutableBitSet ALL_ROWS = ImmutableBitSet.of();

  private static final List<RelOptRule> PUSH =
      List.of(
          plain(CoreRules.FILTER_INTO_JOIN),
          plain(CoreRules.JOIN_CONDITION_PUSH),
          plain(CoreRules.FILTER_PROJECT_TRANSPOSE),
          plain(belowGroups()),
          plain(CoreRules.FILTER_SET_OP_TRANSPOSE),
          plain(CoreRules.FILTER_MERGE),
          plain(CoreRules.PROJECT_MERGE),
          plain(CoreRules.PROJECT_REMOVE));

  private Pushdown() {}

  /**
   * Returns the rule that pushes filters below groups, but not below the group of all rows, which
   * exists even without rows.
   */
  private static RelRule<?> belowGroups() {
    return FilterAggregateTransposeRule.Config.DEFAULT
        .withOperandSupplier(
            filter ->
                filter
                    .operand(Filter.class)
                    .oneInput(
                        groups ->
                            groups
                                .operand(Aggregate.class)
                                .predicate(each -> !each.getGroupSets().contains(ALL_ROWS))
                                .anyInputs()))
        .as(FilterAggregateTransposeRule.Config.class)
        .toRule();
  }

  /** Returns a rule that does not change expressions. */
  private static RelOptRule plain(RelRule<?> rule) {
    return rule.config.withRelBuilderFactory(Unsimplified.BUILDERS).toRule();
  }

  /**
   * Rewrites a query.
   *
   * @throws UniserveException naming the part that Calcite cannot rewrite
   */
  public static RelNode of(RelNode query) {
    return CalciteErrors.translated(
        () -> {
          RelBuilder builder = Unsimplified.builder(query.getCluster());
          RelNode listed = Conditions.shortened(Inequalities.replaced(query));
          RelNode flat =
              RelDecorrelator.decorrelateQuery(
                  ConstantKeys.kept(SingleValues.counted(rewrite(listed, UNNEST))), builder);
          RelNode expanded = rewrite(factored(Conditions.shortened(flat)), EXPAND);
          RelNode pushed = Conditions.shortened(rewrite(expanded, PUSH));
          return SemiJoins.of(new Trimmer(builder).trim(pushed));
        });
  }

  /** Factors out the common conditions of a disjunction's parts, since a join may use them. */
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
