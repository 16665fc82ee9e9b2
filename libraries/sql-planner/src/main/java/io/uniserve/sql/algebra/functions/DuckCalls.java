package io.uniserve.sql.algebra.functions;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.algebra.functions.KnownFunctions.Kind;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;

/**
 * A rewriting of a statement's calls to calls of DuckDB's functions, regardless of how the parser
 * resolved them.
 */
public final class DuckCalls extends SqlShuttle {
  /** The parts of a time that every database has. */
  private static final Set<TimeUnit> PLAIN_PARTS =
      Set.of(TimeUnit.YEAR, TimeUnit.MONTH, TimeUnit.DAY);

  /** The aggregates that DuckDB accepts with WITHIN GROUP. */
  private static final Set<String> WITHIN_GROUP =
      Set.of("percentile_cont", "percentile_disc", "mode");

  /** The aggregates that return a list if they get a number of values. */
  private static final Set<String> FIRST_OF_SORTED = Set.of("min", "max");

  private final FunctionTypes types;
  private final Moment moment;

  /**
   * Makes a rewriting.
   *
   * @param moment the current time for the whole statement
   */
  public DuckCalls(FunctionTypes types, Instant moment) {
    this.types = types;
    this.moment = new Moment(moment);
  }

  @Override
  public SqlNode visit(SqlIdentifier name) {
    return name.isSimple() && !name.isComponentQuoted(0)
        ? moment.ofWord(name.getSimple(), name.getParserPosition()).orElse(name)
        : name;
  }

  /** Rewrites an interval. Calcite writes it correctly if it has one unit of standard SQL. */
  @Override
  public SqlNode visit(SqlLiteral literal) {
    if (!(literal instanceof SqlIntervalLiteral span)) {
      return literal;
    }
    SqlIntervalLiteral.IntervalValue value = (SqlIntervalLiteral.IntervalValue) span.getValue();
    SqlIntervalQualifier unit = value.getIntervalQualifier();
    SqlParserPos at = literal.getParserPosition();
    if (unit.timeUnitRange.endUnit != null) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, "SQL: " + Asking.where(at) + "an INTERVAL in several units");
    }
    String digits = value.getIntervalLiteral();
    boolean negative = value.getSign() < 0 || digits.startsWith("-");
    boolean plain = unit.getStartUnit() != TimeUnit.WEEK && unit.getStartUnit() != TimeUnit.QUARTER;
    if (plain && !negative || !digits.matches("-?\\d+")) {
      return literal;
    }
    BigInteger count = new BigInteger(digits).multiply(BigInteger.valueOf(value.getSign()));
    return scalar(
        "to_" + unit.getStartUnit().name().toLowerCase(Locale.ROOT) + "s",
        at,
        List.of(SqlLiteral.createExactNumeric(count.toString(), at)));
  }

  @Override
  public SqlNode visit(SqlCall call) {
    if (call.getKind() == SqlKind.WITHIN_GROUP && call.operand(0) instanceof SqlCall inner) {
      return withinGroup(inner, (SqlNodeList) call.operand(1).accept(this));
    }
    return of((SqlCall) super.visit(call));
  }

  private SqlNode of(SqlCall call) {
    SqlParserPos at = call.getParserPosition();
    return switch (call.getKind()) {
      case ARRAY_VALUE_CONSTRUCTOR -> scalar("list_value", at, call.getOperandList());
      case ITEM -> scalar("array_extract", at, call.getOperandList());
      case BITXOR -> scalar("power", at, call.getOperandList());
      case INTERVAL -> span(call);
      case EXTRACT -> part(call);
      case FIRST, LAST ->
          function(call.getOperator().getName(), call, call.getOperandList().subList(0, 1));
      case CAST, SAFE_CAST -> call;
      case PLUS, MINUS, TIMES ->
          DuckArithmetic.replaces(call.getOperator()) ? DuckArithmetic.of(call, types) : call;
      default ->
          call.getOperator() instanceof SqlFunction operator
              ? Coalesce.replaces(operator)
                  ? Coalesce.of(call)
                  : function(operator.getName(), call, call.getOperandList())
              : call;
    };
  }

  /** Rewrites a call of a function that DuckDB may have; any other call stays. */
  private SqlNode function(String written, SqlCall call, List<SqlNode> operands) {
    String name = written.equals("TRANSLATE3") ? "translate" : written.toLowerCase(Locale.ROOT);
    SqlParserPos at = call.getParserPosition();
    Optional<Kind> kind = KnownFunctions.kind(name);
    if (kind.isEmpty()) {
      return call;
    }
    kind.flatMap(Kind::refusal)
        .ifPresent(
            why -> {
              throw new UniserveException(
                  ErrorCode.UNSUPPORTED,
                  "SQL: " + Asking.where(at) + name + "(): a function that " + why);
            });
    if (FIRST_OF_SORTED.contains(name) && operands.size() > 1) {
      return aggregate(name, Kind.AGGREGATE, call, operands, Optional.empty());
    }
    return switch (kind.get()) {
      case MOMENT -> moment.ofCall(name, at).orElse(call);
      case PLANNER -> planned(name, call);
      case SCALAR, GRAMMAR ->
          name.equals("age") && operands.size() == 1
              ? scalar(name, at, List.of(moment.midnight(at), operands.getFirst()))
              : scalar(name, at, operands);
      default -> aggregate(name, kind.get(), call, operands, Optional.empty());
    };
  }

  /** Rewrites a call of a function that the planner knows with its usual arguments. */
  private SqlNode planned(String name, SqlCall call) {
    SqlParserPos at = call.getParserPosition();
    if (name.equals("count") && call.operandCount() == 0) {
      return call.getOperator().createCall(at, SqlIdentifier.star(at));
    }
    boolean named = call.getOperator() instanceof SqlUnresolvedFunction;
    return named && name.equals("trim") ? scalar(name, at, call.getOperandList()) : call;
  }

  private SqlCall scalar(String name, SqlParserPos at, List<SqlNode> operands) {
    return new DuckFunction(name, types)
        .createCall(at, operands.stream().map(DuckCalls::signed).toList());
  }

  /** Joins a number and its sign, which DuckDB accepts where it accepts no expression. */
  private static SqlNode signed(SqlNode node) {
    if (node.getKind() == SqlKind.MINUS_PREFIX
        && ((SqlCall) node).operand(0) instanceof SqlNumericLiteral number
        && number.isInteger()) {
      return SqlLiteral.createExactNumeric("-" + number.toValue(), node.getParserPosition());
    }
    return node;
  }

  /** Writes an interval as {@code INTERVAL (n) DAY}. */
  private SqlNode span(SqlCall call) {
    String unit =
        ((SqlIntervalQualifier) call.operand(1)).getUnit().name().toLowerCase(Locale.ROOT);
    String name = "to_" + (unit.equals("century") ? "centuries" : unit + "s");
    return KnownFunctions.kind(name).isPresent()
        ? scalar(name, call.getParserPosition(), List.of(call.operand(0)))
        : call;
  }

  private SqlNode part(SqlCall call) {
    SqlParserPos at = call.getParserPosition();
    if (call.operand(0) instanceof SqlIntervalQualifier unit) {
      if (unit.timeFrameName == null && PLAIN_PARTS.contains(unit.getStartUnit())) {
        return call;
      }
      String name = unit.timeFrameName == null ? unit.getStartUnit().name() : unit.timeFrameName;
      return scalar(
          "date_part",
          at,
          List.of(SqlLiteral.createCharString(name.toLowerCase(Locale.ROOT), at), call.operand(1)));
    }
    return scalar("date_part", at, call.getOperandList());
  }

  private SqlNode withinGroup(SqlCall call, SqlNodeList order) {
    String name = call.getOperator().getName().toLowerCase(Locale.ROOT);
    Optional<Kind> kind = KnownFunctions.kind(name).filter(Kind::aggregates);
    if (kind.isEmpty()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "SQL: " + Asking.where(call.getParserPosition()) + name + " WITHIN GROUP");
    }
    List<SqlNode> operands =
        call.getOperandList().stream().map(operand -> operand.accept(this)).toList();
    return aggregate(name, kind.get(), call, operands, Optional.of(order));
  }

  private SqlCall aggregate(
      String name, Kind kind, SqlCall call, List<SqlNode> operands, Optional<SqlNodeList> within) {
    boolean grouped = within.isPresent() && WITHIN_GROUP.contains(name);
    AggregateParts parts = new AggregateParts(grouped ? 0 : 1);
    SqlNodeList order = within.orElse(SqlNodeList.EMPTY);
    if (grouped && call.getFunctionQuantifier() != null) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          "SQL: "
              + Asking.where(call.getParserPosition())
              + name
              + " of DISTINCT values WITHIN GROUP");
    }
    for (SqlNode operand : operands) {
      if (operand instanceof SqlNodeList list) {
        order = list;
      } else if (operand.getKind() == SqlKind.SEPARATOR) {
        parts.argument(((SqlCall) operand).operand(0));
      } else {
        parts.argument(signed(operand));
      }
    }
    if (grouped) {
      parts.text(") WITHIN GROUP (");
    }
    if (!order.isEmpty()) {
      parts.order(order);
    }
    parts.text(")");
    return new DuckAggregate(name, kind, parts.parts(), types)
        .createCall(
            call.getFunctionQuantifier(),
            call.getParserPosition(),
            parts.operands().toArray(SqlNode[]::new));
  }
}
