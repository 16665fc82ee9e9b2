package io.uniserve.backends.duckdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.duckdb.DuckDBConnection;

/**
 * The texts of types. For types, field names of structs and enums, DuckDB's driver treats each byte
 * of a character beyond U+FFFF, such as an emoji, as a character and cuts the text off. Texts in a
 * query's values are correct, so types are queried as values.
 */
final class TypeTexts {
  /** The character that the driver makes from the first byte of such a character. */
  private static final Pattern FIRST_BYTE = Pattern.compile("[\\u00f0-\\u00f4]");

  private static final Pattern BEYOND = Pattern.compile("[^\\u0000-\\uffff]");

  private TypeTexts() {}

  /**
   * Returns whether the driver's text of a type may be wrong. For an enum it does not contain the
   * values.
   */
  static boolean mayBeWrong(String type) {
    return type.contains("ENUM") || type.indexOf('(') >= 0 && FIRST_BYTE.matcher(type).find();
  }

  /** Returns the types of the columns of a query. */
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
   * Refuses structs and enums whose names the driver would return wrongly.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} naming the character
   */
  static void requireNames(List<String> types) {
    for (String type : types) {
      Matcher beyond = BEYOND.matcher(type);
      if (beyond.find()) {
        throw new UniserveException(
            ErrorCode.UNSUPPORTED,
            ("SQL: the type of a column has the character %s (U+%X): in an answer of JSON, fields"
                    + " of structs and values of enums have those up to U+FFFF")
                .formatted(beyond.group(), beyond.group().codePointAt(0)));
      }
    }
  }
}
