package io.uniserve.surfaces;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON value by value, where a whole document cannot be read as one. */
public final class JsonValues {
  private JsonValues() {}

  /**
   * The value at which a parser stands; afterwards the parser stands at its last token. Its depth
   * is bounded by the parser.
   *
   * @throws UniserveException naming a member that an object has twice, or half a character
   */
  public static Object read(JsonParser in) throws IOException {
    return switch (in.currentToken()) {
      case START_OBJECT -> object(in);
      case START_ARRAY -> list(in);
      case VALUE_STRING -> OutsideText.requireWhole(in.getText());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(in.getNumberValue());
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> null;
    };
  }

  private static Number number(Number read) {
    return read instanceof Integer ? (Long) read.longValue() : read;
  }

  private static List<Object> list(JsonParser in) throws IOException {
    List<Object> values = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      values.add(read(in));
    }
    return values;
  }

  private static Map<String, Object> object(JsonParser in) throws IOException {
    Map<String, Object> members = new LinkedHashMap<>();
    while (in.nextToken() == JsonToken.FIELD_NAME) {
      String name = OutsideText.requireWhole(in.currentName());
      in.nextToken();
      if (members.containsKey(name)) {
        int line = in.currentTokenLocation().getLineNr();
        throw UniserveException.invalid(
            "malformed JSON: '" + Excerpt.of(name) + "' is given twice, line " + line);
      }
      members.put(name, read(in));
    }
    return members;
  }
}
