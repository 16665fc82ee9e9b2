package io.uniserve.gateways.druid.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.schema.SchemaPlus;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.Programs;
import org.apache.druid.sql.calcite.planner.CalciteRulesManager;
import org.apache.druid.sql.calcite.planner.PlannerContext;

/**
 * Druid's planner rules, with other ones for statements on tables of the cluster itself. Druid has
 * Calcite's interpreter run these, which knows no {@code COUNT(DISTINCT)}, no scalar sub-queries
 * and no {@code MAX} of texts, and gives no row for an aggregate over no rows, where SQL has one.
 * Here Calcite compiles them ({@link CompiledStatement}).
 */
final class PlannerRules extends CalciteRulesManager {
  private final SchemaPlus root;

  /**
   * Makes the rules.
   *
   * @param root the schema that all other schemas are in
   */
  PlannerRules(SchemaPlus root) {
    super(Set.of());
    this.root = root;
  }

  @Override
  public List<Program> programs(PlannerContext context) {
    List<Program> programs = new ArrayList<>(super.programs(context));
    programs.set(
        BINDABLE_CONVENTION_RULES,
        Programs.sequence(
            programs.get(BINDABLE_CONVENTION_RULES), CompiledStatement.closing(root)));
    return programs;
  }

  @Override
  public List<RelOptRule> bindableConventionRuleSet(PlannerContext context) {
    List<RelOptRule> rules = new ArrayList<>(baseRuleSet(context));
    rules.addAll(EnumerableRules.ENUMERABLE_RULES);
    // only calculations can be compiled
    rules.remove(EnumerableRules.ENUMERABLE_PROJECT_RULE);
    rules.remove(EnumerableRules.ENUMERABLE_FILTER_RULE);
    rules.add(CoreRules.PROJECT_TO_CALC);
    rules.add(CoreRules.FILTER_TO_CALC);
    rules.add(CoreRules.AGGREGATE_REDUCE_FUNCTIONS);
    rules.add(CoreRules.AGGREGATE_EXPAND_DISTINCT_AGGREGATES_TO_JOIN);
    rules.add(CompiledStatement.rule());
    return rules;
  }
}
