package io.uniserve.sql.algebra;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.implicit.TypeCoercionImpl;

/**
 * The implicit casts of values that are comparable only by a cast, such as a date and a text.
 * Numbers are left to DuckDB, which compares and computes them exactly. A cast to Calcite's common
 * type would round.
 */
final class Coercion extends TypeCoercionImpl {
  Coercion(RelDataTypeFactory types, SqlValidator validator) {
    super(types, validator);
  }

  @Override
  public boolean binaryComparisonCoercion(SqlCallBinding binding) {
    return !onlyNumbers(binding) && super.binaryComparisonCoercion(binding);
  }

  @Override
  public boolean binaryArithmeticCoercion(SqlCallBinding binding) {
    return !onlyNumbers(binding) && super.binaryArithmeticCoercion(binding);
  }

  /**
   * Casts arguments of functions, but not of aggregates, so that no text is cast to a number to be
   * summed.
   */
  @Override
  public boolean builtinFunctionCoercion(
      SqlCallBinding binding, List<RelDataType> types, List<SqlTypeFamily> families) {
    return !binding.getOperator().isAggregator()
        && super.builtinFunctionCoercion(binding, types, families);
  }

  private static boolean onlyNumbers(SqlCallBinding binding) {
    return binding.collectOperandTypes().stream().allMatch(Coercion::isNumber);
  }

  private static boolean isNumber(RelDataType type) {
    return SqlTypeUtil.isNumeric(type);
  }
}
