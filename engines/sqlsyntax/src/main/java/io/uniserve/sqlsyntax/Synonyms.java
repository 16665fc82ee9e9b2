package io.uniserve.sqlsyntax;

import java.util.Locale;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * Writes operators that are others by another name as these others: what Calcite makes of the first
 * within an aggregate, as in {@code sum(a % 2)}, it refuses.
 */
final class Synonyms extends SqlShuttle {
  private static final Map<String, SqlOperator> FUNCTIONS =
      Map.of(
          "LENGTH", SqlStdOperatorTable.CHAR_LENGTH,
          "CHARACTER_LENGTH", SqlStdOperatorTable.CHAR_LENGTH,
          "POW", SqlStdOperatorTable.POWER);
  private static final Map<SqlOperator, SqlOperator> OPERATORS =
      Map.of(
          SqlStdOperatorTable.PERCENT_REMAINDER, SqlStdOperatorTable.MOD,
          SqlStdOperatorTable.IS_UNKNOWN, SqlStdOperatorTable.IS_NULL,
          SqlStdOperatorTable.IS_NOT_UNKNOWN, SqlStdOperatorTable.IS_NOT_NULL);

  /** The statement without them. */
  static SqlNode replaced(SqlNode statement) {
    return statement.accept(new Synonyms());
  }

  @Override
  public SqlNode visit(SqlCall call) {
    SqlNode same = super.visit(call);
    SqlOperator other = other(call.getOperator());
    return other == null
        ? same
        : other.createCall(call.getParserPosition(), ((SqlCall) same).getOperandList());
  }

  private static SqlOperator other(SqlOperator operator) {
    return operator instanceof SqlUnresolvedFunction || operator.getKind() == SqlKind.OTHER_FUNCTION
        ? FUNCTIONS.get(operator.getName().toUpperCase(Locale.ROOT))
        : OPERATORS.get(operator);
  }
}
