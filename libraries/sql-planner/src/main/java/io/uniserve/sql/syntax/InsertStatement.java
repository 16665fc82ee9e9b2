package io.uniserve.sql.syntax;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * An INSERT, with its query as text.
 *
 * @param qualifier the qualifier of the table's name, in lower case
 * @param table the table's name, in lower case
 * @param columns the named columns, in lower case; none if none are named
 * @param query the query of the rows, with each character at its place in the statement
 */
public record InsertStatement(
    Optional<String> qualifier, String table, List<String> columns, String query) {
  private static final Pattern BEGINNING = Pattern.compile("(?i)\\s*insert\\b");

  /** Copies the columns. */
  public InsertStatement {
    columns = List.copyOf(columns);
  }

  /** Returns whether a statement is an INSERT, or is wrong. */
  public static boolean isOne(String sql) {
    return BEGINNING.matcher(sql).lookingAt();
  }

  /**
   * Parses an INSERT.
   *
   * @throws io.uniserve.api.error.UniserveException naming the wrong part and its place
   */
  public static InsertStatement of(String sql) {
    SqlTokens tokens = new SqlTokens(sql);
    tokens.require("insert");
    tokens.require("into");
    Optional<String> qualifier = Optional.empty();
    String table = tokens.name();
    if (tokens.skip(".")) {
      qualifier = Optional.of(table);
      table = tokens.name();
    }
    List<String> columns = new ArrayList<>();
    boolean isQuery =
        Stream.of("select", "with", "values", "from", "(").anyMatch(w -> tokens.isNext("(", w));
    if (!isQuery && tokens.skip("(")) {
      do {
        columns.add(tokens.name());
      } while (tokens.skip(","));
      tokens.require(")");
    }
    int from = tokens.place();
    String query = sql.substring(0, from).replaceAll("\\S", " ") + sql.substring(from);
    return new InsertStatement(qualifier, table, columns, query);
  }
}
