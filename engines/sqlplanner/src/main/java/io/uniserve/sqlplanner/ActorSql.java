package io.uniserve.sqlplanner;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.sql.SqlDialect;

/**
 * The SQL that the databases of the actors take. What runs where the query was asked is always
 * DuckDB's.
 */
public enum ActorSql {
  /** DuckDB's, which decides what a query means. */
  DUCKDB(DuckDialect.INSTANCE) {
    @Override
    RelNode checked(RelNode rel) {
      return rel;
    }
  },

  /** MonetDB's of 2019: only what means the same there. */
  MONETDB(MonetDialect.INSTANCE) {
    @Override
    RelNode checked(RelNode rel) {
      MonetSubset.check(rel);
      return MonetJoins.written(rel);
    }
  };

  private final SqlDialect dialect;

  ActorSql(SqlDialect dialect) {
    this.dialect = dialect;
  }

  SqlDialect dialect() {
    return dialect;
  }

  /**
   * The algebra of a statement as it can be written, if everything in it can be computed and means
   * what it means in DuckDB.
   *
   * @throws io.uniserve.api.UniserveException with {@link io.uniserve.api.ErrorCode#UNSUPPORTED},
   *     naming what does not
   */
  abstract RelNode checked(RelNode rel);
}
