package io.uniserve.sql.rewrites;

import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.rules.ExpandDisjunctionForTableRule;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * Lets a disjunction say of each table alone what it says, as Calcite's rule does, also where it is
 * longer than that rule takes.
 *
 * @param config of the rule
 */
record LongDisjunctions(ExpandDisjunctionForTableRule.Config config)
    implements ExpandDisjunctionForTableRule.Config {
  /** How many operators and values a condition may have; Calcite's is 100. */
  private static final int LENGTH_MAX = 2_000;

  static final RelOptRule OF_FILTERS =
      new LongDisjunctions(
              (ExpandDisjunctionForTableRule.Config)
                  ExpandDisjunctionForTableRule.Config.FILTER.withRelBuilderFactory(
                      io.uniserve.sql.algebra.Unsimplified.BUILDERS))
          .toRule();

  @Override
  public int bloat() {
    return LENGTH_MAX;
  }

  @Override
  public ExpandDisjunctionForTableRule toRule() {
    return new Rule(this);
  }

  @Override
  public RelBuilderFactory relBuilderFactory() {
    return config.relBuilderFactory();
  }

  @Override
  public String description() {
    return config.description();
  }

  @Override
  public RelRule.OperandTransform operandSupplier() {
    return config.operandSupplier();
  }

  @Override
  public RelRule.MatchHandler<ExpandDisjunctionForTableRule> matchHandler() {
    return config.matchHandler();
  }

  @Override
  public LongDisjunctions withRelBuilderFactory(RelBuilderFactory factory) {
    return new LongDisjunctions(
        (ExpandDisjunctionForTableRule.Config) config.withRelBuilderFactory(factory));
  }

  @Override
  public LongDisjunctions withDescription(String description) {
    return new LongDisjunctions(
        (ExpandDisjunctionForTableRule.Config) config.withDescription(description));
  }

  @Override
  public LongDisjunctions withOperandSupplier(RelRule.OperandTransform transform) {
    return new LongDisjunctions(
        (ExpandDisjunctionForTableRule.Config) config.withOperandSupplier(transform));
  }

  @Override
  public LongDisjunctions withMatchHandler(
      RelRule.MatchHandler<ExpandDisjunctionForTableRule> handler) {
    return new LongDisjunctions(config.withMatchHandler(handler));
  }

  /** The rule, whose constructor is for subclasses. */
  private static final class Rule extends ExpandDisjunctionForTableRule {
    Rule(Config config) {
      super(config);
    }
  }
}
