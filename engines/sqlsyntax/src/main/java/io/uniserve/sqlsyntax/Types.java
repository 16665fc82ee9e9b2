package io.uniserve.sqlsyntax;

import io.uniserve.api.UniserveException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;

/** Types as DuckDB derives them, so that no value is rounded or padded on its way. */
public final class Types extends JavaTypeFactoryImpl {
  /** How the types of what is computed are derived. */
  public static final RelDataTypeSystem SYSTEM = new DuckTypes();

  /** A factory of such types. */
  public Types() {
    super(SYSTEM);
  }

  @Override
  public Charset getDefaultCharset() {
    return StandardCharsets.UTF_8;
  }

  /** The type of a column's values, null among them if it may lack one. */
  public RelDataType of(SqlColumn column) {
    return createTypeWithNullability(of(column.type()), column.nullable());
  }

  /** A type without null. */
  public RelDataType of(SqlType type) {
    return switch (type.kind()) {
      case BOOLEAN -> createSqlType(SqlTypeName.BOOLEAN);
      case INTEGER -> createSqlType(SqlTypeName.INTEGER);
      case BIGINT -> createSqlType(SqlTypeName.BIGINT);
      case DOUBLE -> createSqlType(SqlTypeName.DOUBLE);
      case DECIMAL -> createSqlType(SqlTypeName.DECIMAL, type.precision(), type.scale());
      case VARCHAR ->
          createTypeWithCharsetAndCollation(
              createSqlType(SqlTypeName.VARCHAR),
              getDefaultCharset(),
              org.apache.calcite.sql.SqlCollation.IMPLICIT);
      case DATE -> createSqlType(SqlTypeName.DATE);
      case TIMESTAMP -> createSqlType(SqlTypeName.TIMESTAMP, 6);
    };
  }

  /**
   * The type of a parameter, of what Calcite derived.
   *
   * @param parameter its number, from 1
   * @throws UniserveException if no column has such a type
   */
  public static SqlType of(int parameter, RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> new SqlType(SqlType.Kind.BOOLEAN, 0, 0);
      case TINYINT, SMALLINT, INTEGER -> new SqlType(SqlType.Kind.INTEGER, 0, 0);
      case BIGINT -> new SqlType(SqlType.Kind.BIGINT, 0, 0);
      case REAL, FLOAT, DOUBLE -> new SqlType(SqlType.Kind.DOUBLE, 0, 0);
      case DECIMAL -> new SqlType(SqlType.Kind.DECIMAL, type.getPrecision(), type.getScale());
      case CHAR, VARCHAR -> new SqlType(SqlType.Kind.VARCHAR, 0, 0);
      case DATE -> new SqlType(SqlType.Kind.DATE, 0, 0);
      case TIMESTAMP -> new SqlType(SqlType.Kind.TIMESTAMP, 0, 0);
      default ->
          throw UniserveException.invalid(
              "SQL: parameter "
                  + parameter
                  + " would be a "
                  + type
                  + ", which is no type of a column; write CAST(? AS ...)");
    };
  }

  private static final class DuckTypes extends RelDataTypeSystemImpl {
    @Override
    public int getMaxPrecision(SqlTypeName type) {
      return switch (type) {
        case DECIMAL -> SqlType.PRECISION_MAX;
        case TIMESTAMP -> 6;
        default -> super.getMaxPrecision(type);
      };
    }

    @Override
    public int getMaxScale(SqlTypeName type) {
      return type == SqlTypeName.DECIMAL ? SqlType.PRECISION_MAX : super.getMaxScale(type);
    }

    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
      return true;
    }

    @Override
    public RelDataType deriveSumType(RelDataTypeFactory types, RelDataType argument) {
      return argument.getSqlTypeName() == SqlTypeName.DECIMAL
          ? types.createTypeWithNullability(
              types.createSqlType(SqlTypeName.DECIMAL, SqlType.PRECISION_MAX, argument.getScale()),
              argument.isNullable())
          : super.deriveSumType(types, argument);
    }

    @Override
    public RelDataType deriveAvgAggType(RelDataTypeFactory types, RelDataType argument) {
      return types.createTypeWithNullability(
          types.createSqlType(SqlTypeName.DOUBLE), argument.isNullable());
    }
  }
}
