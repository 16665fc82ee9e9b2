package io.uniserve.node.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.uniserve.api.UniserveException;
import io.uniserve.surfaces.OutsideText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the value at which a parser stands. Its recursion is bounded by the parser. */
public final class DocumentReader {
  private DocumentReader() {}

  /**
   * The document whose first token is the parser's current one; afterwards the parser stands at its
   * last.
   */
  public static Object read(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> readMap(parser);
      case START_ARRAY -> readList(parser);
      case VALUE_STRING -> OutsideText.requireWhole(parser.getText());
      case VALUE_NUMBER_INT -> readLong(parser);
      case VALUE_NUMBER_FLOAT -> readDouble(parser);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw UniserveException.invalid("not JSON: " + parser.currentToken());
    };
  }

  private static Map<String, Object> readMap(JsonParser parser) throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      map.put(OutsideText.requireWhole(name), read(parser));
    }
    return map;
  }

  private static List<Object> readList(JsonParser parser) throws IOException {
    List<Object> list = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(read(parser));
    }
    return list;
  }

  private static long readLong(JsonParser parser) throws IOException {
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      throw UniserveException.invalid(
          "the number " + shortened(parser) + " does not fit into 64 bits");
    }
    return parser.getLongValue();
  }

  private static double readDouble(JsonParser parser) throws IOException {
    double number = parser.getDoubleValue();
    if (!Double.isFinite(number)) {
      throw UniserveException.invalid(
          "the number " + shortened(parser) + " is too large for a double");
    }
    return number;
  }

  private static String shortened(JsonParser parser) throws IOException {
    String text = parser.getText();
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }
}
