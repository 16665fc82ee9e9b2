package io.uniserve.sql.syntax;

import io.uniserve.api.error.UniserveException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The type of a column.
 *
 * @param kind the kind of its values
 * @param precision the number of digits of a decimal; otherwise 0
 * @param scale the number of digits after the point of a decimal; otherwise 0
 */
public record SqlType(Kind kind, int precision, int scale) {
  /** The most digits of a decimal. */
  public static final int PRECISION_MAX = 38;

  /** DuckDB's precision of a decimal without a declared one. */
  static final int PRECISION_UNSAID = 18;

  static final int SCALE_UNSAID = 3;

  private static final Pattern DECIMAL =
      Pattern.compile("(?:decimal|numeric)\\s*\\(\\s*(\\d{1,2})\\s*(?:,\\s*(\\d{1,2})\\s*)?\\)");
  private static final Pattern TEXT =
      Pattern.compile(
          "(?:(?:var)?char|character(?: varying)?)\\s*\\(\\s*\\d{1,9}\\s*\\)|text|string"
              + "|character varying");

  private static final String TYPES =
      "there are boolean, integer, bigint, double, decimal(p,s), varchar, date and timestamp;"
          + " smallint is kept as integer, real as double, text as varchar, hugeint as"
          + " decimal(38,0)";

  /** The kinds of values. */
  public enum Kind {
    /** True or false. */
    BOOLEAN,
    /** 32 bits, signed. */
    INTEGER,
    /** 64 bits, signed. */
    BIGINT,
    /** 64 bits, binary floating point. */
    DOUBLE,
    /** Exact, with a scale. */
    DECIMAL,
    /** Text of any length. */
    VARCHAR,
    /** A day. */
    DATE,
    /** A day and a time of day, in microseconds, without a zone. */
    TIMESTAMP
  }

  /** Checks the digits. */
  public SqlType {
    boolean decimal = kind == Kind.DECIMAL;
    if (decimal ? precision < 1 || precision > PRECISION_MAX || scale > precision : scale != 0) {
      throw UniserveException.invalid(
          "a decimal has 1 to "
              + PRECISION_MAX
              + " digits and no larger scale, not "
              + precision
              + ", "
              + scale);
    }
  }

  /**
   * Parses a type, such as {@code decimal(15,2)}. Lengths of texts are not enforced.
   *
   * @throws UniserveException naming a text that is not a type
   */
  public static SqlType of(String text) {
    String name = text.strip().toLowerCase(Locale.ROOT);
    Matcher decimal = DECIMAL.matcher(name);
    if (decimal.matches()) {
      int scale = decimal.group(2) == null ? 0 : Integer.parseInt(decimal.group(2));
      return new SqlType(Kind.DECIMAL, Integer.parseInt(decimal.group(1)), scale);
    }
    if (name.equals("hugeint") || name.equals("int128")) {
      return new SqlType(Kind.DECIMAL, PRECISION_MAX, 0);
    }
    if (name.equals("decimal") || name.equals("numeric")) {
      return new SqlType(Kind.DECIMAL, PRECISION_UNSAID, SCALE_UNSAID);
    }
    if (TEXT.matcher(name).matches()) {
      return new SqlType(Kind.VARCHAR, 0, 0);
    }
    Kind kind =
        switch (name) {
          case "boolean", "bool" -> Kind.BOOLEAN;
          case "integer", "int", "int4", "int32", "smallint", "int2", "tinyint", "int1" ->
              Kind.INTEGER;
          case "bigint", "long", "int8", "int64" -> Kind.BIGINT;
          case "double", "float8", "double precision", "float", "float4", "real" -> Kind.DOUBLE;
          case "varchar" -> Kind.VARCHAR;
          case "date" -> Kind.DATE;
          case "timestamp", "datetime" -> Kind.TIMESTAMP;
          default ->
              throw UniserveException.invalid("'" + text + "' is no type of a column: " + TYPES);
        };
    return new SqlType(kind, 0, 0);
  }

  /** Returns its name in SQL. */
  @Override
  public String toString() {
    return kind == Kind.DECIMAL ? "DECIMAL(" + precision + "," + scale + ")" : kind.name();
  }
}
