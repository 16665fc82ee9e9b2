package io.uniserve.sql.rewrites;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;

/** A function that is written as DuckDB's SQL with places for operands, {@code {0}} and so on. */
final class Formula extends SqlFunction {
  private final List<String> parts;

  Formula(String text, SqlReturnTypeInference type) {
    super(
        text,
        SqlKind.OTHER_FUNCTION,
        type,
        null,
        OperandTypes.VARIADIC,
        SqlFunctionCategory.USER_DEFINED_FUNCTION);
    parts = List.of(text.split("[{}]"));
  }

  @Override
  public void unparse(SqlWriter writer, SqlCall call, int left, int right) {
    for (int i = 0; i < parts.size(); i++) {
      if (i % 2 == 0) {
        writer.print(parts.get(i));
      } else {
        call.operand(Integer.parseInt(parts.get(i))).unparse(writer, 0, 0);
      }
    }
    writer.setNeedWhitespace(true);
  }
}
