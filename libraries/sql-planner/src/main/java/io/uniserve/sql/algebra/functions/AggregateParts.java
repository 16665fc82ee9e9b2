package io.uniserve.sql.algebra.functions;

import io.uniserve.sql.algebra.functions.DuckAggregate.Part;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/** The parts of an aggregate's call, argument by argument, and its computed arguments. */
final class AggregateParts {
  private final List<Part> parts = new ArrayList<>();
  private final List<SqlNode> operands = new ArrayList<>();
  private final int computed;
  private int arguments;

  /**
   * Makes the parts of a call.
   *
   * @param computed the number of first arguments that are never constants
   */
  AggregateParts(int computed) {
    this.computed = computed;
  }

  /** Adds an argument. A constant is written as it is. */
  void argument(SqlNode argument) {
    text(arguments == 0 ? "" : ", ");
    if (arguments >= computed && isConstant(argument)) {
      text(argument.toSqlString(DuckDialect.INSTANCE).getSql());
    } else {
      operand(argument);
    }
    arguments++;
  }

  /** Adds the order of the rows in a group. */
  void order(SqlNodeList keys) {
    text(arguments > 0 && !endsGroup() ? " ORDER BY " : "ORDER BY ");
    for (int i = 0; i < keys.size(); i++) {
      text(i == 0 ? "" : ", ");
      key(keys.get(i));
    }
  }

  private boolean endsGroup() {
    return parts.getLast() instanceof Part.Text text && text.text().endsWith("(");
  }

  private void key(SqlNode key) {
    switch (key.getKind()) {
      case DESCENDING -> {
        key(((SqlCall) key).operand(0));
        text(" DESC");
      }
      case NULLS_FIRST -> {
        key(((SqlCall) key).operand(0));
        text(" NULLS FIRST");
      }
      case NULLS_LAST -> {
        key(((SqlCall) key).operand(0));
        text(" NULLS LAST");
      }
      default -> operand(key);
    }
  }

  void text(String text) {
    parts.add(new Part.Text(text));
  }

  private void operand(SqlNode node) {
    for (int i = 0; i < operands.size(); i++) {
      if (operands.get(i).equalsDeep(node, org.apache.calcite.util.Litmus.IGNORE)) {
        parts.add(new Part.Operand(i));
        return;
      }
    }
    parts.add(new Part.Operand(operands.size()));
    operands.add(node);
  }

  List<Part> parts() {
    return parts;
  }

  List<SqlNode> operands() {
    return operands;
  }

  private static boolean isConstant(SqlNode node) {
    return switch (node) {
      case SqlIntervalQualifier unit -> false;
      case SqlLiteral literal -> true;
      case SqlDataTypeSpec type -> true;
      case SqlCall call
          when call.getOperator() instanceof DuckFunction
              || call.getOperator() instanceof DuckArithmetic
              || call.isA(CONSTANT) ->
          call.getOperandList().stream().allMatch(AggregateParts::isConstant);
      default -> false;
    };
  }

  private static final java.util.Set<SqlKind> CONSTANT =
      java.util.EnumSet.of(SqlKind.MINUS_PREFIX, SqlKind.CAST);
}
