package io.uniserve.backends.duckdb;

import io.uniserve.api.error.UniserveException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.duckdb.DuckDBConnection;

/** The parser of DuckDB. */
public final class DuckSyntax {
  private DuckSyntax() {}

  /**
   * Parses a text without looking up names or running it.
   *
   * @return the syntax tree in the form of DuckDB's {@code json_serialize_sql}: {@code {"error":
   *     false, "statements": [{"node": ...}]}}, or {@code {"error": true, "error_type",
   *     "error_message", "position"}} for a text that is no SQL or no query. Positions are in bytes
   *     from the beginning of the text
   * @throws UniserveException if the parser itself fails
   */
  public static String tree(String sql) {
    try (DuckDBConnection connection = ClientDatabase.connect();
        PreparedStatement statement =
            connection.prepareStatement("SELECT json_serialize_sql(CAST(? AS VARCHAR))")) {
      statement.setString(1, sql);
      try (ResultSet result = statement.executeQuery()) {
        result.next();
        return result.getString(1);
      }
    } catch (SQLException e) {
      throw ClientDatabase.failure(e).ofCaller(sql, e);
    }
  }

  /** Describes the place of a byte of a text: {@code line 1, column 1: } is that of the first. */
  public static String place(String sql, int byteOffset) {
    return DuckFailure.place(sql, byteOffset);
  }
}
