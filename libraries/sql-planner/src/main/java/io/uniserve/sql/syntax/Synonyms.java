package io.uniserve.sql.syntax;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlBinaryOperator;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * A rewriting of operators to synonyms. Within an aggregate, as in {@code sum(a % 2)}, Calcite
 * refuses its own conversion of the original operator. It also completes abbreviated types.
 */
final class Synonyms extends SqlShuttle {
  private static final Map<String, SqlOperator> FUNCTIONS =
      Map.of(
          "LENGTH", SqlStdOperatorTable.CHAR_LENGTH,
          "CHARACTER_LENGTH", SqlStdOperatorTable.CHAR_LENGTH,
          "POW", SqlStdOperatorTable.POWER,
          "MOD", Operators.MOD);
  private static final Map<SqlOperator, SqlOperator> OPERATORS =
      Map.of(
          SqlStdOperatorTable.PERCENT_REMAINDER, Operators.MOD,
          SqlStdOperatorTable.IS_UNKNOWN, SqlStdOperatorTable.IS_NULL,
          SqlStdOperatorTable.IS_NOT_UNKNOWN, SqlStdOperatorTable.IS_NOT_NULL);

  private static final Set<SqlKind> COMPARISONS =
      EnumSet.of(
          SqlKind.EQUALS,
          SqlKind.NOT_EQUALS,
          SqlKind.LESS_THAN,
          SqlKind.LESS_THAN_OR_EQUAL,
          SqlKind.GREATER_THAN,
          SqlKind.GREATER_THAN_OR_EQUAL,
          SqlKind.BETWEEN,
          SqlKind.IS_DISTINCT_FROM,
          SqlKind.IS_NOT_DISTINCT_FROM,
          SqlKind.IN,
          SqlKind.NOT_IN,
          SqlKind.CASE);

  private final Signs signs;

  private Synonyms(Signs signs) {
    this.signs = signs;
  }

  /**
   * Rewrites a statement.
   *
   * @param signs the signs of its text
   */
  static SqlNode replaced(SqlNode statement, Signs signs) {
    return statement.accept(new Synonyms(signs));
  }

  @Override
  public SqlNode visit(SqlCall call) {
    if (call.getKind() == SqlKind.BITXOR) {
      requireClear(call);
    }
    if (call instanceof SqlWindow window && window.getRefName() != null) {
      throw unsupported(call, "a window that extends another"); // its frame would be lost
    }
    if (COMPARISONS.contains(call.getKind()) && comparesRows(call)) {
      throw unsupported(call, "a comparison of rows"); // they are structs, whose null is a value
    }
    SqlNode same = super.visit(call);
    SqlOperator other =
        call.getOperator() == SqlStdOperatorTable.DIVIDE
            ? signs.isWhole(call.operand(1)) ? Operators.DIVIDE_WHOLE : Operators.DIVIDE
            : other(call.getOperator());
    return other == null
        ? same
        : other.createCall(call.getParserPosition(), ((SqlCall) same).getOperandList());
  }

  /** Returns whether a call compares rows with each other, and not with those of a query. */
  private static boolean comparesRows(SqlCall call) {
    boolean withQuery =
        call.getOperandList().stream()
            .anyMatch(operand -> operand != null && operand.isA(SqlKind.QUERY));
    return !withQuery && call.getOperandList().stream().anyMatch(Synonyms::isRow);
  }

  private static boolean isRow(SqlNode operand) {
    return operand instanceof SqlNodeList list
        ? list.stream().anyMatch(Synonyms::isRow)
        : operand != null && operand.getKind() == SqlKind.ROW;
  }

  /** Gives a decimal without digits DuckDB's default. */
  @Override
  public SqlNode visit(SqlDataTypeSpec type) {
    return type.getTypeNameSpec() instanceof SqlBasicTypeNameSpec basic
            && basic.getTypeName().getSimple().equals(SqlTypeName.DECIMAL.getName())
            && basic.getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED
        ? new SqlDataTypeSpec(
            new SqlBasicTypeNameSpec(
                SqlTypeName.DECIMAL,
                SqlType.PRECISION_UNSAID,
                SqlType.SCALE_UNSAID,
                type.getParserPosition()),
            type.getParserPosition())
        : type;
  }

  /**
   * Refuses a power without parentheses around it, since the parser does not give it the highest
   * precedence.
   */
  private static void requireClear(SqlCall power) {
    for (SqlNode operand : power.getOperandList()) {
      if (operand instanceof SqlCall call && call.getOperator() instanceof SqlBinaryOperator) {
        throw unsupported(power, "the operator ^ beside " + call.getOperator().getName());
      }
    }
  }

  private static UniserveException unsupported(SqlNode at, String what) {
    return new UniserveException(
        ErrorCode.UNSUPPORTED,
        "SQL: line %d, column %d: %s is not supported"
            .formatted(
                at.getParserPosition().getLineNum(), at.getParserPosition().getColumnNum(), what));
  }

  private static SqlOperator other(SqlOperator operator) {
    return operator instanceof SqlUnresolvedFunction || operator.getKind() == SqlKind.OTHER_FUNCTION
        ? FUNCTIONS.get(operator.getName().toUpperCase(Locale.ROOT))
        : OPERATORS.get(operator);
  }
}
