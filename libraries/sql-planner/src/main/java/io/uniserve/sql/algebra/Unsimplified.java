package io.uniserve.sql.algebra;

import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rex.RexExecutor;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * Builders of algebra whose expressions stay as they are written. Calcite would compute constants,
 * and simplify other expressions, by rules that differ from DuckDB's: it truncates where DuckDB
 * rounds, pads texts, divides whole numbers to whole numbers, and has only one way to escape a
 * pattern.
 */
public final class Unsimplified {
  /** An executor that leaves constant expressions to the database. */
  static final RexExecutor EXECUTOR = (rex, constants, values) -> values.addAll(constants);

  /** The factory of such builders. */
  public static final RelBuilderFactory BUILDERS =
      RelBuilder.proto(Contexts.of(RelBuilder.Config.DEFAULT.withSimplify(false)));

  private Unsimplified() {}

  /** Returns such a builder for one query. */
  public static RelBuilder builder(RelOptCluster cluster) {
    return BUILDERS.create(cluster, null);
  }
}
