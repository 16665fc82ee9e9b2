package io.uniserve.sql.algebra.functions;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.List;

/** The result types of DuckDB's functions, which only DuckDB knows. */
public interface FunctionTypes {
  /** The types without any function of DuckDB. */
  FunctionTypes NONE =
      (expression, columns) -> {
        throw new UniserveException(
            ErrorCode.UNSUPPORTED, "SQL: without DuckDB the type is unknown of " + expression);
      };

  /**
   * Returns the type of an expression, in DuckDB's SQL. The answer never changes.
   *
   * @param expression an expression of columns {@code a0}, {@code a1} and so on
   * @param columns their types, in DuckDB's SQL
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} saying why the expression is
   *     not valid
   */
  String typeOf(String expression, List<String> columns);
}
