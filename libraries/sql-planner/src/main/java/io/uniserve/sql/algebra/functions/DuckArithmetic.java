package io.uniserve.sql.algebra.functions;

import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql2rel.SqlRexContext;

/**
 * Sums, differences and products. For numbers they are the planner's operators. For dates, times
 * and intervals DuckDB decides their meaning.
 */
public final class DuckArithmetic extends SqlBinaryOperator {
  private static final Map<SqlOperator, SqlReturnTypeInference> NUMBERS =
      Map.of(
          SqlStdOperatorTable.PLUS, ReturnTypes.NULLABLE_SUM,
          SqlStdOperatorTable.MINUS, ReturnTypes.NULLABLE_SUM,
          SqlStdOperatorTable.MULTIPLY, ReturnTypes.PRODUCT_NULLABLE);

  private final SqlOperator known;

  private DuckArithmetic(SqlOperator known, FunctionTypes types) {
    super(
        known.getName(),
        SqlKind.OTHER,
        known.getLeftPrec(),
        true,
        binding -> type(known, types, binding),
        InferTypes.FIRST_KNOWN,
        OperandTypes.ANY_ANY);
    this.known = known;
  }

  /** Returns whether one of these replaces an operator of Calcite. */
  static boolean replaces(SqlOperator operator) {
    return NUMBERS.containsKey(operator);
  }

  /** Returns the call with DuckDB's types. */
  static SqlCall of(SqlCall call, FunctionTypes types) {
    return new DuckArithmetic(call.getOperator(), types)
        .createCall(call.getParserPosition(), call.getOperandList());
  }

  private static RelDataType type(
      SqlOperator known, FunctionTypes types, SqlOperatorBinding binding) {
    return areNumbers(binding.collectOperandTypes())
        ? NUMBERS.get(known).inferReturnType(binding)
        : Asking.typeOf(types, " " + known.getName() + " ", binding);
  }

  private static boolean areNumbers(List<RelDataType> types) {
    return types.stream().allMatch(type -> SqlTypeUtil.isNumeric(type) || SqlTypeUtil.isNull(type));
  }

  /** Derives the type without a lookup by name, since the operator is resolved already. */
  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    return Asking.derive(this, validator, scope, call);
  }

  /** Converts a call to algebra; for numbers, to the planner's operator. */
  public static RexNode converted(SqlRexContext context, SqlCall call) {
    List<RexNode> operands =
        call.getOperandList().stream().map(context::convertExpression).toList();
    DuckArithmetic operator = (DuckArithmetic) call.getOperator();
    boolean numbers = areNumbers(operands.stream().map(RexNode::getType).toList());
    RelDataType known = context.getValidator().getValidatedNodeTypeIfKnown(call);
    RelDataType type =
        known == null ? context.getRexBuilder().deriveReturnType(operator, operands) : known;
    return context.getRexBuilder().makeCall(type, numbers ? operator.known : operator, operands);
  }
}
