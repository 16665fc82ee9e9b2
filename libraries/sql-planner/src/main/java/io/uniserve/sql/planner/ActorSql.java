package io.uniserve.sql.planner;

import io.uniserve.sql.algebra.functions.DuckDialect;
import io.uniserve.sql.syntax.SqlColumn;
import io.uniserve.sql.syntax.Types;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.sql.SqlDialect;

/**
 * The SQL that the databases of the actors accept. SQL that runs at the client is always DuckDB's.
 */
public interface ActorSql {
  /** DuckDB's SQL, which defines the meaning of queries. */
  ActorSql DUCKDB = () -> DuckDialect.INSTANCE;

  /** The rules by which result types are derived, whatever database computes them. */
  RelDataTypeSystem TYPES = Types.SYSTEM;

  /** Returns the dialect in which algebra is written. */
  SqlDialect dialect();

  /**
   * Checks that the databases can compute a statement's algebra with the same meaning as DuckDB,
   * and returns the algebra in a form that can be written.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED}, naming the part that is not supported
   */
  default RelNode checked(RelNode rel) {
    return rel;
  }

  /**
   * Checks that a computed value is stored in a column as DuckDB would store it.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED}, naming the column
   */
  default void checkAssignment(SqlColumn column, RelDataType value) {}
}
