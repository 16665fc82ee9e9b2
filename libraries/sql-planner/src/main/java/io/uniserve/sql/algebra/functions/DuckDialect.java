package io.uniserve.sql.algebra.functions;

import io.uniserve.sql.syntax.Types;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlAlienSystemTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.dialect.DuckDBSqlDialect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.checkerframework.checker.nullness.qual.Nullable;

/** DuckDB's dialect of SQL: Calcite's, except for texts, limits and names of types. */
public final class DuckDialect extends DuckDBSqlDialect {
  /** The only instance, which has no state. */
  public static final DuckDialect INSTANCE = new DuckDialect();

  private DuckDialect() {
    super(
        DEFAULT_CONTEXT
            .withIdentifierQuoteString("\"")
            .withNullCollation(NullCollation.LAST)
            .withDataTypeSystem(Types.SYSTEM));
  }

  @Override
  public void unparseCall(SqlWriter writer, SqlCall call, int left, int right) {
    if (call.getKind() == SqlKind.SAFE_CAST) {
      writer.print("TRY_CAST");
      SqlWriter.Frame operands = writer.startList("(", ")");
      call.operand(0).unparse(writer, 0, 0);
      writer.sep("AS");
      call.operand(1).unparse(writer, 0, 0);
      writer.endList(operands);
    } else {
      super.unparseCall(writer, call, left, right);
    }
  }

  /** Writes a text. DuckDB's texts are UTF-8 and have no escape but the doubled quote. */
  @Override
  public void quoteStringLiteral(StringBuilder out, @Nullable String charset, String text) {
    out.append('\'').append(text.replace("'", "''")).append('\'');
  }

  /**
   * Writes cross joins as CROSS JOIN. A comma binds less than JOIN, so a join of a comma join would
   * need a sub-query.
   */
  @Override
  public JoinType emulateJoinTypeForCrossJoin() {
    return JoinType.CROSS;
  }

  @Override
  public boolean supportsNestedAggregations() {
    return false;
  }

  @Override
  public void unparseOffsetFetch(
      SqlWriter writer, @Nullable SqlNode offset, @Nullable SqlNode fetch) {
    unparseFetchUsingLimit(writer, offset, fetch);
  }

  /** Returns the type of a cast, with texts of any length and times in microseconds. */
  @Override
  public @Nullable SqlNode getCastSpec(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case CHAR, VARCHAR -> named("VARCHAR");
      case TIMESTAMP -> named("TIMESTAMP");
      case ANY, ARRAY, BINARY, VARBINARY -> named(Types.name(type));
      default -> super.getCastSpec(type);
    };
  }

  private static SqlNode named(String type) {
    return new SqlDataTypeSpec(
        new SqlAlienSystemTypeNameSpec(type, SqlTypeName.VARCHAR, SqlParserPos.ZERO),
        SqlParserPos.ZERO);
  }
}
