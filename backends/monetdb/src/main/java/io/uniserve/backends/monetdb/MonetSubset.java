package io.uniserve.backends.monetdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.syntax.SqlColumn;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The part of the algebra that MonetDB computes as DuckDB does. A statement with an operation whose
 * answers differ, such as the text of a floating-point number, is refused, and the error names the
 * operation. Operations at which MonetDB fails (a sum beyond 18 digits, a division by zero) need no
 * refusal.
 */
final class MonetSubset {
  private static final Set<SqlKind> OPERATORS =
      Set.of(
          SqlKind.AND,
          SqlKind.OR,
          SqlKind.NOT,
          SqlKind.IS_NULL,
          SqlKind.IS_NOT_NULL,
          SqlKind.EQUALS,
          SqlKind.NOT_EQUALS,
          SqlKind.LESS_THAN,
          SqlKind.LESS_THAN_OR_EQUAL,
          SqlKind.GREATER_THAN,
          SqlKind.GREATER_THAN_OR_EQUAL,
          SqlKind.SEARCH,
          SqlKind.PLUS,
          SqlKind.MINUS,
          SqlKind.TIMES,
          SqlKind.DIVIDE,
          SqlKind.MINUS_PREFIX,
          SqlKind.CASE,
          SqlKind.COALESCE,
          SqlKind.NULLIF);
  private static final Set<String> FUNCTIONS = Set.of("||", "CHAR_LENGTH", "ABS");
  private static final Set<SqlKind> AGGREGATES =
      Set.of(SqlKind.COUNT, SqlKind.SUM, SqlKind.SUM0, SqlKind.MIN, SqlKind.MAX, SqlKind.AVG);
  private static final Set<SqlTypeName> TYPES =
      Set.of(
          SqlTypeName.BOOLEAN,
          SqlTypeName.TINYINT,
          SqlTypeName.SMALLINT,
          SqlTypeName.INTEGER,
          SqlTypeName.BIGINT,
          SqlTypeName.DECIMAL,
          SqlTypeName.DOUBLE,
          SqlTypeName.CHAR,
          SqlTypeName.VARCHAR,
          SqlTypeName.DATE,
          SqlTypeName.NULL,
          SqlTypeName.SYMBOL,
          SqlTypeName.SARG);
  private static final Set<TimeUnitRange> PARTS_OF_DAYS =
      Set.of(TimeUnitRange.YEAR, TimeUnitRange.MONTH, TimeUnitRange.DAY);

  private MonetSubset() {}

  /**
   * Checks that MonetDB computes a statement as DuckDB does.
   *
   * @throws UniserveException naming the operation that it computes otherwise
   */
  static void check(RelNode rel) {
    switch (rel) {
      case TableScan scan -> {}
      case Project project -> {}
      case Filter filter -> {}
      case Sort sort -> {}
      case Aggregate aggregate -> check(aggregate);
      case SetOp set when set.kind != SqlKind.UNION -> throw refused(set.kind + " in an actor");
      case SetOp set -> {}
      case Join join when !join.getJoinType().projectsRight() ->
          throw refused(join.getJoinType() + " JOIN in an actor");
      case Join join -> {}
      case Values values when hasTexts(values) -> throw refused("VALUES with texts");
      case Values values -> {}
      default -> throw refused(rel.getRelTypeName());
    }
    rel.accept(new Expressions());
    rel.getInputs().forEach(MonetSubset::check);
  }

  private static boolean hasTexts(Values values) {
    return values.getRowType().getFieldList().stream()
        .anyMatch(field -> SqlTypeUtil.inCharFamily(field.getType()));
  }

  private static void check(Aggregate aggregate) {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
      throw refused("GROUPING SETS in an actor");
    }
    for (AggregateCall call : aggregate.getAggCallList()) {
      if (!AGGREGATES.contains(call.getAggregation().getKind()) || call.isApproximate()) {
        throw refused(call.getAggregation().getName() + " in an actor");
      }
    }
  }

  /**
   * Checks that MonetDB stores a value in a column as DuckDB would.
   *
   * @throws UniserveException naming the column
   */
  static void checkAssignment(SqlColumn column, RelDataType value) {
    boolean fits =
        value.getSqlTypeName() == SqlTypeName.NULL
            || switch (column.type().kind()) {
              case BOOLEAN -> SqlTypeUtil.isBoolean(value);
              case INTEGER, BIGINT -> SqlTypeUtil.isIntType(value);
              case DECIMAL -> SqlTypeUtil.isExactNumeric(value);
              case DOUBLE -> SqlTypeUtil.isNumeric(value);
              case VARCHAR -> SqlTypeUtil.inCharFamily(value);
              case DATE -> SqlTypeUtil.isDate(value);
              case TIMESTAMP -> false;
            };
    if (!fits) {
      throw refused("UPDATE of " + column.type() + " column '" + column.name() + "' to " + value);
    }
  }

  private static final class Expressions extends RexShuttle {
    @Override
    public RexNode visitInputRef(RexInputRef reference) {
      checkType(reference.getType());
      return reference;
    }

    @Override
    public RexNode visitLiteral(RexLiteral literal) {
      checkType(literal.getType());
      String text = literal.getValue() instanceof Comparable<?> value ? value.toString() : "";
      if (text.chars().anyMatch(c -> c == 0 || Character.isSurrogate((char) c))) {
        throw refused("a text with characters beyond 16 bits");
      }
      return literal;
    }

    @Override
    public RexNode visitCall(RexCall call) {
      checkType(call.getType());
      boolean known =
          switch (call.getKind()) {
            case CAST -> isSameCast(call);
            case LIKE -> isSameLike(call);
            case EXTRACT -> isPartOfDay(call);
            default ->
                OPERATORS.contains(call.getKind())
                    || FUNCTIONS.contains(call.getOperator().getName())
                    || isSameSubstring(call);
          };
      if (!known) {
        throw refused(call.toString());
      }
      return super.visitCall(call);
    }

    @Override
    public RexNode visitOver(RexOver over) {
      throw refused("a window in an actor");
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery query) {
      throw refused("a sub-query that cannot be flattened");
    }

    private static void checkType(RelDataType type) {
      if (!TYPES.contains(type.getSqlTypeName())) {
        throw refused(type.toString());
      }
    }

    private static boolean isSameCast(RexCall call) {
      RexNode operand = call.getOperands().getFirst();
      RelDataType from = operand.getType();
      RelDataType to = call.getType();
      return from.getSqlTypeName() == SqlTypeName.NULL
          || from.getSqlTypeName() == to.getSqlTypeName()
          || SqlTypeUtil.inCharFamily(from)
              && (SqlTypeUtil.inCharFamily(to)
                  || SqlTypeUtil.isDate(to) && operand instanceof RexLiteral)
          || SqlTypeUtil.isIntType(from)
              && (SqlTypeUtil.isNumeric(to) || SqlTypeUtil.inCharFamily(to))
          || SqlTypeUtil.isExactNumeric(from)
              && (SqlTypeUtil.isApproximateNumeric(to)
                  || SqlTypeUtil.isDecimal(to)
                  || SqlTypeUtil.inCharFamily(to));
    }

    /**
     * Returns whether a LIKE has the same meaning in both. A backslash is an escape in MonetDB and
     * none in DuckDB.
     */
    private static boolean isSameLike(RexCall call) {
      return call.getOperator().getName().equals("LIKE")
          && call.getOperands().size() == 2
          && call.getOperands().get(1) instanceof RexLiteral pattern
          && pattern.getTypeName().getFamily() == SqlTypeFamily.CHARACTER
          && !String.valueOf(pattern.getValueAs(String.class)).contains("\\");
    }

    private static boolean isPartOfDay(RexCall call) {
      return call.getOperands().getFirst() instanceof RexLiteral part
          && PARTS_OF_DAYS.contains(part.getValueAs(TimeUnitRange.class))
          && SqlTypeUtil.isDate(call.getOperands().get(1).getType());
    }

    private static boolean isSameSubstring(RexCall call) {
      return call.getOperator().getName().equals("SUBSTRING")
          && SqlTypeUtil.inCharFamily(call.getOperands().getFirst().getType())
          && IntStream.range(1, call.getOperands().size())
              .allMatch(i -> isFrom(call.getOperands().get(i), i == 1 ? 1 : 0));
    }

    private static boolean isFrom(RexNode node, int least) {
      return node instanceof RexLiteral literal
          && SqlTypeUtil.isIntType(literal.getType())
          && !literal.isNull()
          && literal.getValueAs(Long.class) >= least;
    }
  }

  private static UniserveException refused(String construct) {
    return new UniserveException(
        ErrorCode.UNSUPPORTED, "SQL: actors in MonetDB do not compute " + construct);
  }
}
