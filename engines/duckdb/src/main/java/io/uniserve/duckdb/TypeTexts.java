package io.uniserve.duckdb;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.duckdb.DuckDBConnection;

/**
 * Types as they are written. DuckDB's driver takes the bytes of a character beyond U+FFFF, such as
 * an emoji, for characters of their own and cuts the text off, in types and in the names of the
 * fields of a struct. As values of a query they are what they are.
 */
final class TypeTexts {
  /** What the driver makes of the first byte of such a character. */
  private static final Pattern FIRST_BYTE = Pattern.compile("[\\u00f0-\\u00f4]");

  private static final Pattern BEYOND = Pattern.compile("[^\\u0000-\\uffff]");

  private TypeTexts() {}

  /** Whether a type that the driver gives may be another. */
  static boolean mayBeWrong(String type) {
    return type.indexOf('(') >= 0 && FIRST_BYTE.matcher(type).find();
  }

  /** The types of the columns of a query. */
  static List<String> told(DuckDBConnection connection, String sql) throws SQLException {
    List<String> types = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet columns = statement.executeQuery("DESCRIBE " + sql)) {
      while (columns.next()) {
        types.add(columns.getString("column_type"));
      }
    }
    return types;
  }

  /**
   * Refuses structs whose values the driver gives by wrong names.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} naming the character
   */
  static void requireNames(List<String> types) {
    for (String type : types) {
      Matcher beyond = BEYOND.matcher(type);
      if (type.contains("STRUCT(") && beyond.find()) {
        throw new UniserveException(
            ErrorCode.UNSUPPORTED,
            ("SQL: a field of a struct has a name with the character %s (U+%X):"
                    + " in an answer of JSON there are those up to U+FFFF")
                .formatted(beyond.group(), beyond.group().codePointAt(0)));
      }
    }
  }
}
