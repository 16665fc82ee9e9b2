package io.uniserve.sql.rewrites;

import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.rules.ExpandDisjunctionForTableRule;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * A rule that derives a condition on each single table from a disjunction. It is Calcite's rule,
 * for longer disjunctions.
 *
 * @param config the settings of the rule
 */
record LongDisjunctions(ExpandDisjunctionForTableRule.Config config)
    implements ExpandDisjunctionForTableRule.Config {
  /** The most operators and values of a condition; Calcite's limit is 100. */
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

  /** The rule, as a subclass because the constructor is protected. */
  private static final class Rule extends ExpandDisjunctionForTableRule {
    Rule(Config config) {
      super(config);
    }
  }
}
