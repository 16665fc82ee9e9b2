package io.uniserve.sql.algebra;

import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * Algebra whose expressions stay as they are written. Calcite would compute what is constant in
 * them, and shorten others, by rules that are not DuckDB's: it cuts a fraction off where DuckDB
 * rounds, pads texts, divides whole numbers to whole numbers, and knows one way to escape a
 * pattern.
 */
public final class Unsimplified {
  /** Leaves constant expressions to whatever runs the statement. */
  static final RexExecutor EXECUTOR = (rex, constants, values) -> values.addAll(constants);

  /** Makes algebra so. */
  public static final RelBuilderFactory BUILDERS =
      RelBuilder.proto(Contexts.of(RelBuilder.Config.DEFAULT.withSimplify(false)));

  private Unsimplified() {}

  /** What makes algebra so, of one query. */
  public static RelBuilder builder(RelOptCluster cluster) {
    return BUILDERS.create(cluster, null);
  }
}
