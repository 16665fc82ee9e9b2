package io.uniserve.sql.algebra.functions;

import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.syntax.Types;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** The questions to DuckDB about the types of calls. */
final class Asking {
  private Asking() {}

  /**
   * Returns the type of a call, some of whose arguments may be literals.
   *
   * @param function the function's name, or an operator between spaces
   */
  static RelDataType typeOf(FunctionTypes types, String function, SqlOperatorBinding binding) {
    List<String> arguments = new ArrayList<>();
    List<RelDataType> columns = new ArrayList<>();
    for (int i = 0; i < binding.getOperandCount(); i++) {
      RelDataType type = binding.getOperandType(i);
      if (binding.isOperandNull(i, false)) {
        arguments.add("NULL");
      } else if (binding.isOperandLiteral(i, false) && SqlTypeUtil.inCharFamily(type)) {
        String text = binding.getOperandLiteralValue(i, String.class);
        arguments.add("'" + text.replace("'", "''") + "'");
      } else if (binding.isOperandLiteral(i, false) && SqlTypeUtil.isExactNumeric(type)) {
        arguments.add(binding.getOperandLiteralValue(i, BigDecimal.class).toPlainString());
      } else {
        arguments.add("a" + columns.size());
        columns.add(type);
      }
    }
    String expression =
        function.startsWith(" ")
            ? String.join(function, arguments)
            : function + "(" + String.join(", ", arguments) + ")";
    return typeOf(types, expression, columns, binding);
  }

  /**
   * Returns the type of an expression.
   *
   * @param columns the types of its columns, a0, a1 and so on
   */
  static RelDataType typeOf(
      FunctionTypes types,
      String expression,
      List<RelDataType> columns,
      SqlOperatorBinding binding) {
    try {
      String name = types.typeOf(expression, columns.stream().map(Types::name).toList());
      return ((Types) binding.getTypeFactory()).named(name);
    } catch (UniserveException e) {
      if (binding instanceof SqlCallBinding call) {
        throw new UniserveException(
            e.code(), "SQL: " + where(call.getCall().getParserPosition()) + e.getMessage(), e);
      }
      throw new UniserveException(e.code(), "SQL: " + e.getMessage(), e);
    }
  }

  /** Returns the beginning of an error about a place in the statement. */
  static String where(SqlParserPos at) {
    return "line " + at.getLineNum() + ", column " + at.getColumnNum() + ": ";
  }

  /** Returns the type of a call whose operator is known. */
  static RelDataType derive(
      SqlOperator operator, SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    for (SqlNode operand : call.getOperandList()) {
      validator.deriveType(scope, operand);
    }
    return operator.validateOperands(validator, scope, call);
  }
}
