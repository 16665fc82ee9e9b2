package io.uniserve.sql.algebra.functions;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.List;

/** Tells the types of what DuckDB's functions give, which only DuckDB knows. */
public interface FunctionTypes {
  /** Where no function of DuckDB's is known. */
  FunctionTypes NONE =
      (expression, columns) -> {
        throw new UniserveException(ErrorCode.UNSUPPORTED, "SQL: no DuckDB tells " + expression);
      };

  /**
   * The type of an expression, in DuckDB's SQL. The same question has the same answer at any time.
   *
   * @param expression of columns {@code a0}, {@code a1} and so on
   * @param columns their types, in DuckDB's SQL
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} saying why there is no such
   *     expression
   */
  String typeOf(String expression, List<String> columns);
}
