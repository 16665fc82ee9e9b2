package io.uniserve.sql.algebra.functions;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlCoalesceFunction;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * The function COALESCE. Calcite would write it as a CASE with each value twice. Three nested calls
 * would have the innermost value eight times, and fifty would never end.
 */
final class Coalesce extends SqlCoalesceFunction {
  private static final Coalesce INSTANCE = new Coalesce();

  private Coalesce() {}

  /** Returns whether a function is Calcite's COALESCE. */
  static boolean replaces(SqlOperator function) {
    return function.getName().equalsIgnoreCase(INSTANCE.getName());
  }

  /** Returns a call of this function with the same operands. */
  static SqlCall of(SqlCall call) {
    return INSTANCE.createCall(call.getParserPosition(), call.getOperandList());
  }

  @Override
  public SqlNode rewriteCall(SqlValidator validator, SqlCall call) {
    return call;
  }

  /** Derives the type without a lookup by name, since the function is resolved already. */
  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    return Asking.derive(this, validator, scope, call);
  }
}
