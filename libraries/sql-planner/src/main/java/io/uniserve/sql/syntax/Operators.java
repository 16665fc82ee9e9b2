package io.uniserve.sql.syntax;

import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlOperatorTables;

/** The operators whose result types differ from those of Calcite's operators of the same name. */
public final class Operators {
  private static final int PRECEDENCE = 60;

  /** The result type of a quotient, a floating-point number. */
  private static final SqlReturnTypeInference QUOTIENT =
      binding ->
          areNumbers(binding.getOperandType(0), binding.getOperandType(1))
              ? binding.getTypeFactory().createSqlType(SqlTypeName.DOUBLE)
              : ReturnTypes.QUOTIENT_NULLABLE.inferReturnType(binding);

  private static final SqlReturnTypeInference WHOLE_QUOTIENT =
      binding ->
          SqlTypeUtil.isIntType(binding.getOperandType(0))
                  && SqlTypeUtil.isIntType(binding.getOperandType(1))
              ? ReturnTypes.LEAST_RESTRICTIVE.inferReturnType(binding)
              : binding.getTypeFactory().createSqlType(SqlTypeName.DOUBLE);

  /** The operator {@code /}. */
  static final SqlBinaryOperator DIVIDE =
      new SqlBinaryOperator(
          "/",
          SqlKind.DIVIDE,
          PRECEDENCE,
          true,
          QUOTIENT.andThen(SqlTypeTransforms.FORCE_NULLABLE),
          InferTypes.FIRST_KNOWN,
          OperandTypes.DIVISION_OPERATOR);

  /**
   * The operator {@code //}: the integer part of the quotient of whole numbers; null for a division
   * by zero.
   */
  static final SqlBinaryOperator DIVIDE_WHOLE =
      new SqlBinaryOperator(
          "//",
          SqlKind.OTHER,
          PRECEDENCE,
          true,
          WHOLE_QUOTIENT.andThen(SqlTypeTransforms.FORCE_NULLABLE),
          InferTypes.FIRST_KNOWN,
          OperandTypes.NUMERIC_NUMERIC);

  /** The operator {@code %}; null for a division by zero. */
  static final SqlFunction MOD =
      SqlBasicFunction.create(
              SqlKind.MOD,
              ReturnTypes.LEAST_RESTRICTIVE.andThen(SqlTypeTransforms.FORCE_NULLABLE),
              OperandTypes.NUMERIC_NUMERIC)
          .withFunctionType(SqlFunctionCategory.NUMERIC);

  /** The table of these operators, which is searched before Calcite's. */
  public static final SqlOperatorTable TABLE = SqlOperatorTables.of(DIVIDE, DIVIDE_WHOLE, MOD);

  private Operators() {}

  private static boolean areNumbers(RelDataType left, RelDataType right) {
    return SqlTypeUtil.isNumeric(left) && SqlTypeUtil.isNumeric(right);
  }
}
