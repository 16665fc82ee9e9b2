package io.uniserve.sql.algebra.functions;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlCoalesceFunction;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * The first value that is not missing. Calcite would write it as a CASE that has each value twice,
 * so that one within another within another has the innermost value eight times, and fifty of them
 * never end.
 */
final class Coalesce extends SqlCoalesceFunction {
  private static final Coalesce INSTANCE = new Coalesce();

  private Coalesce() {}

  /** Tells whether a function is Calcite's. */
  static boolean replaces(SqlOperator function) {
    return function.getName().equalsIgnoreCase(INSTANCE.getName());
  }

  /** The same as it is written. */
  static SqlCall of(SqlCall call) {
    return INSTANCE.createCall(call.getParserPosition(), call.getOperandList());
  }

  @Override
  public SqlNode rewriteCall(SqlValidator validator, SqlCall call) {
    return call;
  }

  /** It is not looked for by its name any more. */
  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    return Asking.derive(this, validator, scope, call);
  }
}
