package io.uniserve.sql.algebra;

import io.uniserve.sql.algebra.functions.DuckArithmetic;
import java.math.BigDecimal;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * The conversion of casts of literals that keeps them as they are written. Calcite would keep the
 * literal alone, whose type differs: {@code cast(2000000000 as bigint) * 2} would become a product
 * of 32-bit numbers and overflow.
 */
final class WrittenCasts implements SqlRexConvertletTable {
  private final SqlRexConvertletTable others = StandardConvertletTable.INSTANCE;

  @Override
  public @Nullable SqlRexConvertlet get(SqlCall call) {
    if (call.getOperator() instanceof DuckArithmetic) {
      return DuckArithmetic::converted;
    }
    SqlRexConvertlet other = others.get(call);
    return call.getKind() == SqlKind.CAST && other != null
        ? (context, cast) -> kept(context, cast, other.convertCall(context, cast))
        : other;
  }

  private static RexNode kept(SqlRexContext context, SqlCall cast, RexNode converted) {
    if (!(converted instanceof RexLiteral literal) || literal.isNull()) {
      return converted;
    }
    RexNode value = context.convertExpression(cast.operand(0));
    return value.getType().equals(converted.getType()) && saysItsType(literal)
        ? converted
        : context.getRexBuilder().makeAbstractCast(converted.getType(), value, false);
  }

  /** Returns whether DuckDB gives a literal the same type as Calcite. */
  private static boolean saysItsType(RexLiteral literal) {
    return switch (literal.getType().getSqlTypeName()) {
      case DECIMAL -> false; // DuckDB counts the digits as they are written
      case INTEGER ->
          // DuckDB reads the number before the sign, and it overflows.
          literal.getValueAs(BigDecimal.class).intValueExact() != Integer.MIN_VALUE;
      default -> true;
    };
  }
}
