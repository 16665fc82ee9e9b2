package io.uniserve.sql.algebra.functions;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** A function of one row that DuckDB computes. DuckDB checks its arguments. */
final class DuckFunction extends SqlFunction {
  DuckFunction(String name, FunctionTypes types) {
    super(
        name,
        SqlKind.OTHER_FUNCTION,
        binding -> Asking.typeOf(types, name, binding),
        null,
        OperandTypes.VARIADIC,
        SqlFunctionCategory.USER_DEFINED_FUNCTION);
  }

  /** Derives the type without a lookup by name, since the function is resolved already. */
  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    return Asking.derive(this, validator, scope, call);
  }

  @Override
  public void unparse(SqlWriter writer, SqlCall call, int left, int right) {
    writer.print(getName());
    SqlWriter.Frame arguments = writer.startList("(", ")");
    for (SqlNode operand : call.getOperandList()) {
      writer.sep(",");
      operand.unparse(writer, 0, 0);
    }
    writer.endList(arguments);
  }
}
