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
 * An aggregate function that DuckDB computes. Constant arguments are part of it, such as the 0.5 of
 * {@code quantile_cont(x, 0.5)}, since DuckDB accepts no columns there. An order of the rows in a
 * group is part of it, too.
 */
public final class DuckAggregate extends SqlAggFunction {
  private final KnownFunctions.Kind kind;
  private final List<Part> parts;

  /** A part of a written call: a text or an operand. */
  sealed interface Part {
    /** A fixed text. */
    record Text(String text) implements Part {}

    /** An operand, by its place. */
    record Operand(int index) implements Part {}
  }

  /**
   * Makes a function.
   *
   * @param name DuckDB's name of it
   * @param parts the parts after the opening parenthesis
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
   * Returns the aggregate that combines its values for parts of a group; empty if the rows
   * themselves are needed.
   */
  public Optional<SqlAggFunction> combining() {
    return switch (kind) {
      case AGGREGATE_AGAIN -> Optional.of(this);
      case AGGREGATE_SUMMED -> Optional.of(SqlStdOperatorTable.SUM);
      default -> Optional.empty();
    };
  }

  /** Derives the type without a lookup by name, since the function is resolved already. */
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
