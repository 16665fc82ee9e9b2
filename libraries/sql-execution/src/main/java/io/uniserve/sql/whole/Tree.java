package io.uniserve.sql.whole;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.backend.ClientSql;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The syntax tree of one query, from DuckDB's parser.
 *
 * @param sql the text of the query
 * @param root the root of the tree, with a JSON object for each part
 */
record Tree(String sql, JsonNode root) {
  /** The deepest tree. DuckDB nests expressions 1,000 deep, each in a few objects. */
  private static final int DEPTH_MAX = 10_000;

  private static final JsonMapper JSON =
      JsonMapper.builder(
              com.fasterxml.jackson.core.JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
                  .build())
          .build();

  private static final Pattern WORD = Pattern.compile("[\\p{L}_]+");
  private static final Pattern GAP = Pattern.compile("(?s)(\\s+|--[^\\n]*|/\\*.*?\\*/|;|\\()*");

  /**
   * Parses a query.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} naming the place of a syntax
   *     error, or {@link ErrorCode#UNSUPPORTED} naming a statement that is no query
   */
  static Tree of(String sql) {
    JsonNode parsed = json(ClientSql.get().tree(sql));
    if (parsed.path("error").asBoolean()) {
      throw error(sql, parsed);
    }
    JsonNode statements = parsed.path("statements");
    if (statements.isEmpty()) {
      throw UniserveException.invalid("SQL: the text has no statement");
    }
    if (statements.size() > 1) {
      throw UniserveException.invalid(
          "SQL: the text has " + statements.size() + " statements; one at a time");
    }
    return new Tree(sql, statements.get(0));
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "SQL: parts of the statement are nested too deeply", e);
    }
  }

  private static UniserveException error(String sql, JsonNode parsed) {
    if (!parsed.path("error_type").asText().equals("not implemented")) {
      String where =
          parsed.has("position") ? ClientSql.get().place(sql, parsed.path("position").asInt()) : "";
      return UniserveException.invalid("SQL: " + where + parsed.path("error_message").asText());
    }
    Matcher gap = GAP.matcher(sql);
    int from = gap.lookingAt() ? gap.end() : 0;
    Matcher word = WORD.matcher(sql);
    String first = word.find(from) ? word.group().toUpperCase(Locale.ROOT) : "this";
    return new UniserveException(
        ErrorCode.UNSUPPORTED,
        "SQL: " + ClientSql.get().place(sql, from) + Statements.refusal(first));
  }

  /** Returns the beginning of a part in the text, in bytes. */
  static OptionalInt at(JsonNode part) {
    JsonNode at = part.path("query_location");
    return at.isNumber() && at.canConvertToInt() ? OptionalInt.of(at.asInt()) : OptionalInt.empty();
  }

  /** Returns the place of a part as the beginning of an error message. */
  String place(JsonNode part) {
    OptionalInt at = at(part);
    return at.isPresent() ? ClientSql.get().place(sql, at.getAsInt()) : "";
  }
}
