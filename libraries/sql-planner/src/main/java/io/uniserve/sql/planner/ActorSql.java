package io.uniserve.sql.planner;

import io.uniserve.sql.algebra.functions.DuckDialect;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.Types;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.sql.SqlDialect;

/**
 * The SQL that the databases of the actors take. What runs where the query was asked is always
 * DuckDB's.
 */
public interface ActorSql {
  /** DuckDB's, which decides what a query means. */
  ActorSql DUCKDB = () -> DuckDialect.INSTANCE;

  /** How the types of what is computed are derived, whatever computes it. */
  RelDataTypeSystem TYPES = Types.SYSTEM;

  /** How algebra is written. */
  SqlDialect dialect();

  /**
   * The algebra of a statement as it can be written, if everything in it can be computed and means
   * what it means in DuckDB.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED}, naming what does not
   */
  default RelNode checked(RelNode rel) {
    return rel;
  }

  /**
   * Requires that a computed value is stored in a column as DuckDB would store it.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED}, naming the column
   */
  default void checkAssignment(SqlColumn column, RelDataType value) {}
}
