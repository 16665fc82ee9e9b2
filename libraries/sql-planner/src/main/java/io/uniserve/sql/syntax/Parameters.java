package io.uniserve.sql.syntax;

import io.uniserve.api.error.UniserveException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.TimestampString;

/**
 * The parameters of a statement. They become literals with the types of their values, since casts
 * to the types that a query expects would round.
 */
final class Parameters {
  private static final int MICROS_DIGITS = 6;
  private static final int NANOS_PER_MICRO = 1_000;

  private Parameters() {}

  /** Returns the number of parameters of a statement. */
  static int count(SqlNode statement) {
    int[] count = {0};
    statement.accept(
        new SqlBasicVisitor<Void>() {
          @Override
          public Void visit(SqlDynamicParam parameter) {
            count[0] = Math.max(count[0], parameter.getIndex() + 1);
            return null;
          }
        });
    return count[0];
  }

  /**
   * Replaces the parameters of a statement by values.
   *
   * @throws UniserveException if there are too many or too few values, or one cannot be written
   */
  static SqlNode replaced(SqlNode statement, List<?> values) {
    int count = count(statement);
    if (count != values.size()) {
      throw UniserveException.invalid(
          "SQL: the statement has " + count + " parameters, and " + values.size() + " are given");
    }
    if (count == 0) {
      return statement;
    }
    return statement.accept(
        new SqlShuttle() {
          @Override
          public SqlNode visit(SqlDynamicParam parameter) {
            return literal(
                parameter.getIndex(),
                values.get(parameter.getIndex()),
                parameter.getParserPosition());
          }
        });
  }

  /** Returns whether a statement accepts several rows of values. */
  static boolean takesRows(SqlNode statement) {
    return statement instanceof SqlInsert insert && insert.getSource().getKind() == SqlKind.VALUES;
  }

  /**
   * Replaces the parameters by one row of values. Several rows give one statement that inserts the
   * rows of one statement for each.
   */
  static SqlNode replacedByRows(SqlNode statement, List<? extends List<?>> rows) {
    if (!takesRows(statement)) {
      if (rows.size() != 1) {
        throw UniserveException.invalid(
            "SQL: " + statement.getKind() + " takes one row of parameters, not " + rows.size());
      }
      return replaced(statement, rows.getFirst());
    }
    SqlInsert insert = (SqlInsert) statement;
    SqlCall source = (SqlCall) insert.getSource();
    List<SqlNode> all = new ArrayList<>();
    rows.forEach(row -> all.addAll(((SqlCall) replaced(source, row)).getOperandList()));
    return new SqlInsert(
        insert.getParserPosition(),
        SqlNodeList.EMPTY,
        insert.getTargetTable(),
        source.getOperator().createCall(source.getParserPosition(), all),
        insert.getTargetColumnList());
  }

  private static SqlNode literal(int index, Object value, SqlParserPos at) {
    try {
      return switch (value) {
        case null -> SqlLiteral.createNull(at);
        case Boolean flag -> SqlLiteral.createBoolean(flag, at);
        case Long number -> SqlLiteral.createExactNumeric(number.toString(), at);
        case BigDecimal number -> SqlLiteral.createExactNumeric(number.toPlainString(), at);
        case Double number when Double.isFinite(number) ->
            SqlLiteral.createApproxNumeric(number.toString(), at);
        case String text -> SqlLiteral.createCharString(text, at);
        case LocalDate day -> SqlLiteral.createDate(date(day), at);
        case LocalDateTime time ->
            SqlLiteral.createTimestamp(SqlTypeName.TIMESTAMP, timestamp(time), MICROS_DIGITS, at);
        case SqlType type -> unknown(type, at);
        default -> throw new IllegalArgumentException("no value of a column");
      };
    } catch (IllegalArgumentException e) {
      throw UniserveException.invalid(
          "SQL: parameter " + (index + 1) + ": " + value + ": " + e.getMessage());
    }
  }

  private static DateString date(LocalDate day) {
    return new DateString(day.getYear(), day.getMonthValue(), day.getDayOfMonth());
  }

  private static TimestampString timestamp(LocalDateTime time) {
    return new TimestampString(
            time.getYear(),
            time.getMonthValue(),
            time.getDayOfMonth(),
            time.getHour(),
            time.getMinute(),
            time.getSecond())
        .withNanos(time.getNano() / NANOS_PER_MICRO * NANOS_PER_MICRO);
  }

  /**
   * Returns an expression of unknown value. It is a literal for whole numbers, since LIMIT accepts
   * nothing else.
   */
  private static SqlNode unknown(SqlType type, SqlParserPos at) {
    return type.kind() == SqlType.Kind.INTEGER
        ? SqlLiteral.createExactNumeric("0", at)
        : SqlStdOperatorTable.CAST.createCall(
            at,
            SqlLiteral.createNull(at),
            SqlTypeUtil.convertTypeToSpec(new Types().of(type)).withNullable(true));
  }
}
