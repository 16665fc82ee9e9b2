package io.uniserve.sql.syntax;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.jdbc.JavaTypeFactoryImpl;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystem;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** The types as DuckDB derives them, so that no value is rounded or padded on its way. */
public final class Types extends JavaTypeFactoryImpl {
  /** The rules by which result types are derived. */
  public static final RelDataTypeSystem SYSTEM = new DuckTypes();

  /** DuckDB's name of the type of moments with a zone. */
  public static final String TIMESTAMP_WITH_ZONE = "timestamptz";

  /** DuckDB's name of the type of times of day with a zone. */
  public static final String TIME_WITH_ZONE = "timetz";

  /** The types that the parser does not know, by their names. */
  public static final Map<String, String> NAMES =
      Map.ofEntries(
          Map.entry(TIMESTAMP_WITH_ZONE, "TIMESTAMP WITH TIME ZONE"),
          Map.entry(TIME_WITH_ZONE, "TIME WITH TIME ZONE"),
          Map.entry("timestamp", "TIMESTAMP"),
          Map.entry("datetime", "TIMESTAMP"),
          Map.entry("timestamp_s", "TIMESTAMP_S"),
          Map.entry("timestamp_ms", "TIMESTAMP_MS"),
          Map.entry("timestamp_ns", "TIMESTAMP_NS"),
          Map.entry("date", "DATE"),
          Map.entry("time", "TIME"),
          Map.entry("text", "VARCHAR"),
          Map.entry("string", "VARCHAR"),
          Map.entry("bpchar", "VARCHAR"),
          Map.entry("bool", "BOOLEAN"),
          Map.entry("int1", "TINYINT"),
          Map.entry("int2", "SMALLINT"),
          Map.entry("int4", "INTEGER"),
          Map.entry("int8", "BIGINT"),
          Map.entry("int16", "SMALLINT"),
          Map.entry("int32", "INTEGER"),
          Map.entry("int64", "BIGINT"),
          Map.entry("short", "SMALLINT"),
          Map.entry("signed", "INTEGER"),
          Map.entry("long", "BIGINT"),
          Map.entry("float4", "FLOAT"),
          Map.entry("float8", "DOUBLE"),
          Map.entry("hugeint", "HUGEINT"),
          Map.entry("int128", "HUGEINT"),
          Map.entry("uhugeint", "UHUGEINT"),
          Map.entry("utinyint", "UTINYINT"),
          Map.entry("uint8", "UTINYINT"),
          Map.entry("usmallint", "USMALLINT"),
          Map.entry("uint16", "USMALLINT"),
          Map.entry("uinteger", "UINTEGER"),
          Map.entry("uint32", "UINTEGER"),
          Map.entry("ubigint", "UBIGINT"),
          Map.entry("uint64", "UBIGINT"),
          Map.entry("blob", "BLOB"),
          Map.entry("bytea", "BLOB"),
          Map.entry("uuid", "UUID"),
          Map.entry("bit", "BIT"),
          Map.entry("bitstring", "BIT"),
          Map.entry("json", "JSON"));

  private static final Pattern DECIMAL = Pattern.compile("DECIMAL\\((\\d+),(\\d+)\\)");

  /** The digits of a second's fraction. */
  private static final int TIMESTAMP_DIGITS = 6;

  /** Makes a factory of such types. */
  public Types() {
    super(SYSTEM);
  }

  @Override
  public Charset getDefaultCharset() {
    return StandardCharsets.UTF_8;
  }

  /** Returns the type of a column's values, with null if it is nullable. */
  public RelDataType of(SqlColumn column) {
    return createTypeWithNullability(of(column.type()), column.nullable());
  }

  /** Returns a type without null. */
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
      case TIMESTAMP -> createSqlType(SqlTypeName.TIMESTAMP, TIMESTAMP_DIGITS);
    };
  }

  /** Returns the nullable type of a name in DuckDB's SQL. */
  public RelDataType named(String name) {
    Matcher decimal = DECIMAL.matcher(name);
    RelDataType type =
        decimal.matches()
            ? createSqlType(
                SqlTypeName.DECIMAL,
                Integer.parseInt(decimal.group(1)),
                Integer.parseInt(decimal.group(2)))
            : switch (name) {
              case "BOOLEAN",
                  "TINYINT",
                  "SMALLINT",
                  "INTEGER",
                  "BIGINT",
                  "DOUBLE",
                  "DATE",
                  "TIME" ->
                  createSqlType(SqlTypeName.valueOf(name));
              case "FLOAT" -> createSqlType(SqlTypeName.REAL);
              case "VARCHAR" -> of(new SqlType(SqlType.Kind.VARCHAR, 0, 0));
              case "TIMESTAMP" -> of(new SqlType(SqlType.Kind.TIMESTAMP, 0, 0));
              default -> new DuckType(name, true);
            };
    return createTypeWithNullability(type, true);
  }

  /**
   * Returns the name of a type in DuckDB's SQL.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if it has none
   */
  public static String name(RelDataType type) {
    if (type instanceof DuckType known) {
      return known.name();
    }
    return switch (type.getSqlTypeName()) {
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DATE, TIME, TIMESTAMP ->
          type.getSqlTypeName().name();
      case UTINYINT, USMALLINT, UINTEGER, UBIGINT -> type.getSqlTypeName().name();
      case REAL -> "FLOAT";
      case FLOAT, DOUBLE -> "DOUBLE";
      case DECIMAL -> "DECIMAL(" + type.getPrecision() + "," + type.getScale() + ")";
      case CHAR, VARCHAR -> "VARCHAR";
      case BINARY, VARBINARY -> "BLOB";
      case NULL -> "\"NULL\"";
      case ARRAY -> name(type.getComponentType()) + "[]";
      default -> {
        if (SqlTypeUtil.isInterval(type)) {
          yield "INTERVAL";
        }
        throw new UniserveException(
            ErrorCode.UNSUPPORTED, "SQL: DuckDB has no type " + type.getFullTypeString());
      }
    };
  }

  @Override
  public RelDataType createTypeWithNullability(RelDataType type, boolean nullable) {
    if (type instanceof DuckType known) {
      return type.isNullable() == nullable ? type : new DuckType(known.name(), nullable);
    }
    return super.createTypeWithNullability(type, nullable);
  }

  /**
   * Converts the type that Calcite derived for a parameter.
   *
   * @param parameter the parameter's number, from 1
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
        case TIME, TIMESTAMP -> TIMESTAMP_DIGITS;
        default -> super.getMaxPrecision(type);
      };
    }

    /**
     * Returns the precision of a type without a declared one: DuckDB keeps all digits of a second.
     */
    @Override
    public int getDefaultPrecision(SqlTypeName type) {
      return type == SqlTypeName.TIMESTAMP ? TIMESTAMP_DIGITS : super.getDefaultPrecision(type);
    }

    @Override
    public int getMaxScale(SqlTypeName type) {
      return type == SqlTypeName.DECIMAL ? SqlType.PRECISION_MAX : super.getMaxScale(type);
    }

    @Override
    public boolean shouldConvertRaggedUnionTypesToVarying() {
      return true;
    }

    /**
     * Derives the type of a sum. DuckDB's sum of whole numbers is a HUGEINT, which Calcite lacks. A
     * type of the same width takes its place, so that no cast to a narrower one follows.
     */
    @Override
    public RelDataType deriveSumType(RelDataTypeFactory types, RelDataType argument) {
      return switch (argument.getSqlTypeName()) {
        case TINYINT, SMALLINT, INTEGER, BIGINT -> decimal(types, 0, argument.isNullable());
        case DECIMAL -> decimal(types, argument.getScale(), argument.isNullable());
        default -> super.deriveSumType(types, argument);
      };
    }

    private static RelDataType decimal(RelDataTypeFactory types, int scale, boolean nullable) {
      return types.createTypeWithNullability(
          types.createSqlType(SqlTypeName.DECIMAL, SqlType.PRECISION_MAX, scale), nullable);
    }

    @Override
    public RelDataType deriveAvgAggType(RelDataTypeFactory types, RelDataType argument) {
      return types.createTypeWithNullability(
          types.createSqlType(SqlTypeName.DOUBLE), argument.isNullable());
    }
  }
}
