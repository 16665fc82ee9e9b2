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

/** A reader of single JSON values, for documents that cannot be read as a whole. */
public final class JsonValues {
  private JsonValues() {}

  /**
   * Reads the value at which a parser stands. Afterwards the parser stands at the value's last
   * token. The parser bounds the depth.
   *
   * @throws UniserveException naming a member that an object has twice, or half of a surrogate pair
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
