package io.uniserve.duckdb;

import io.uniserve.api.error.UniserveException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.duckdb.DuckDBConnection;

/** DuckDB's parser. */
public final class DuckSyntax {
  private DuckSyntax() {}

  /**
   * The syntax tree of a text, of which nothing is looked up or run.
   *
   * @return as DuckDB's {@code json_serialize_sql} gives it: {@code {"error": false, "statements":
   *     [{"node": ...}]}}, or {@code {"error": true, "error_type", "error_message", "position"}}
   *     for what is no SQL or no query. Positions are in bytes from the beginning of the text
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

  /** The place of a byte of a text, for people: {@code line 1, column 1: } is that of the first. */
  public static String place(String sql, int byteOffset) {
    return DuckFailure.place(sql, byteOffset);
  }
}
