package io.uniserve.sql.algebra.functions;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.util.Optionality;

/**
 * An aggregate function that DuckDB computes. What is the same for all rows is part of it, as the
 * 0.5 of {@code quantile_cont(x, 0.5)}: DuckDB takes no columns there. So is an order of the rows
 * of a group.
 */
public final class DuckAggregate extends SqlAggFunction {
  private final KnownFunctions.Kind kind;
  private final List<Part> parts;

  /** A part of how a call is written: a text, or an operand. */
  sealed interface Part {
    /** A text. */
    record Text(String text) implements Part {}

    /** One of the operands, by its place. */
    record Operand(int index) implements Part {}
  }

  /**
   * A function.
   *
   * @param name DuckDB's
   * @param parts what stands after the parenthesis that begins its arguments
   */
  DuckAggregate(String name, KnownFunctions.Kind kind, List<Part> parts, FunctionTypes types) {
    super(
        name + "(" + text(parts),
        null,
        SqlKind.OTHER_FUNCTION,
        binding ->
            Asking.typeOf(types, name + "(" + text(parts), binding.collectOperandTypes(), binding),
        null,
        OperandTypes.VARIADIC,
        SqlFunctionCategory.USER_DEFINED_FUNCTION,
        false,
        false,
        Optionality.FORBIDDEN);
    this.kind = kind;
    this.parts = List.copyOf(parts);
  }

  private static String text(List<Part> parts) {
    return parts.stream()
        .map(
            part ->
                switch (part) {
                  case Part.Text text -> text.text();
                  case Part.Operand operand -> "a" + operand.index();
                })
        .collect(Collectors.joining());
  }

  /**
   * What aggregates the values that it gave of parts of a group; empty if the rows themselves are
   * needed.
   */
  public Optional<SqlAggFunction> combining() {
    return switch (kind) {
      case AGGREGATE_AGAIN -> Optional.of(this);
      case AGGREGATE_SUMMED -> Optional.of(SqlStdOperatorTable.SUM);
      default -> Optional.empty();
    };
  }

  /** It is not looked for by its name any more. */
  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    return Asking.derive(this, validator, scope, call);
  }

  @Override
  public void unparse(SqlWriter writer, SqlCall call, int left, int right) {
    writer.print(getName().substring(0, getName().indexOf('(') + 1));
    SqlLiteral quantifier = call.getFunctionQuantifier();
    if (quantifier != null && quantifier.getValue() == SqlSelectKeyword.DISTINCT) {
      writer.print("DISTINCT ");
    }
    for (Part part : parts) {
      switch (part) {
        case Part.Text text -> writer.print(text.text());
        case Part.Operand operand -> call.operand(operand.index()).unparse(writer, 0, 0);
      }
    }
    writer.setNeedWhitespace(true);
  }
}
