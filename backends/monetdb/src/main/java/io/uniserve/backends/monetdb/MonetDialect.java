package io.uniserve.backends.monetdb;

import io.uniserve.sql.planner.ActorSql;
import org.apache.calcite.config.NullCollation;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAlienSystemTypeNameSpec;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDialect;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.checkerframework.checker.nullness.qual.Nullable;

/**
 * MonetDB's dialect of SQL. Texts are {@code CLOB} and have backslash escapes. Decimals have at
 * most 18 digits. Whole numbers are divided as in DuckDB. Nulls come first unless the statement
 * says otherwise.
 */
final class MonetDialect extends SqlDialect {
  static final MonetDialect INSTANCE = new MonetDialect();

  /** The most digits of a decimal, in a library without 128-bit numbers. */
  static final int PRECISION_MAX = 18;

  private static final SqlDataTypeSpec DOUBLE =
      new SqlDataTypeSpec(
          new SqlBasicTypeNameSpec(SqlTypeName.DOUBLE, SqlParserPos.ZERO), SqlParserPos.ZERO);

  private MonetDialect() {
    super(
        EMPTY_CONTEXT
            .withDatabaseProduct(DatabaseProduct.UNKNOWN)
            .withIdentifierQuoteString("\"")
            .withNullCollation(NullCollation.LOW)
            .withDataTypeSystem(ActorSql.TYPES));
  }

  @Override
  public void quoteStringLiteral(StringBuilder out, @Nullable String charset, String text) {
    out.append('\'').append(text.replace("\\", "\\\\").replace("'", "''")).append('\'');
  }

  @Override
  public boolean supportsCharSet() {
    return false;
  }

  @Override
  public boolean supportsNestedAggregations() {
    return false;
  }

  @Override
  public boolean supportsAggregateFunctionFilter() {
    return false;
  }

  /** Writes the order of nulls. MonetDB ignores {@code NULLS LAST} under a limit. */
  @Override
  public @Nullable SqlNode emulateNullDirection(
      SqlNode node, boolean nullsFirst, boolean descending) {
    return emulateNullDirectionWithIsNull(node, nullsFirst, descending);
  }

  @Override
  public void unparseOffsetFetch(
      SqlWriter writer, @Nullable SqlNode offset, @Nullable SqlNode fetch) {
    unparseFetchUsingLimit(writer, offset, fetch);
  }

  @Override
  public @Nullable SqlNode getCastSpec(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case CHAR, VARCHAR -> named("CLOB");
      case DECIMAL ->
          named(
              "DECIMAL(%d, %d)"
                  .formatted(Math.min(type.getPrecision(), PRECISION_MAX), type.getScale()));
      default -> super.getCastSpec(type);
    };
  }

  private static SqlDataTypeSpec named(String type) {
    return new SqlDataTypeSpec(
        new SqlAlienSystemTypeNameSpec(type, SqlTypeName.ANY, SqlParserPos.ZERO),
        SqlParserPos.ZERO);
  }

  @Override
  public void unparseCall(SqlWriter writer, SqlCall call, int left, int right) {
    SqlCall written =
        call.getKind() == SqlKind.DIVIDE
            ? SqlStdOperatorTable.DIVIDE.createCall(
                call.getParserPosition(), asDouble(call.operand(0)), asDouble(call.operand(1)))
            : call;
    super.unparseCall(writer, written, left, right);
  }

  private static SqlNode asDouble(SqlNode node) {
    return SqlStdOperatorTable.CAST.createCall(SqlParserPos.ZERO, node, DOUBLE);
  }
}
