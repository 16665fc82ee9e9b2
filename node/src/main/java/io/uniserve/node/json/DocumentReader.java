package io.uniserve.node.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.uniserve.api.error.UniserveException;
import io.uniserve.surfaces.OutsideText;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A reader of the value at which a parser stands. Its recursion is bounded by the parser. */
public final class DocumentReader {
  /** The number of characters up to which a double holds every fraction. */
  private static final int EXACT_CHARS_MAX = 16;

  /** True if numbers may have more digits than a long or a double has. */
  private final boolean anyNumbers;

  private DocumentReader(boolean anyNumbers) {
    this.anyNumbers = anyNumbers;
  }

  /**
   * Returns the document whose first token is the parser's current one; afterwards the parser
   * stands at its last.
   *
   * @throws UniserveException naming a number that neither a long nor a double holds
   */
  public static Object read(JsonParser parser) throws IOException {
    return new DocumentReader(false).value(parser);
  }

  /**
   * Returns a record in the same way, whose numbers keep all their digits: one that neither a long
   * nor a double holds exactly is a {@link BigInteger} or a {@link BigDecimal}.
   *
   * @throws UniserveException naming a number that is too large for a double
   */
  public static Object readRecord(JsonParser parser) throws IOException {
    return new DocumentReader(true).value(parser);
  }

  private Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> map(parser);
      case START_ARRAY -> list(parser);
      case VALUE_STRING -> OutsideText.requireWhole(parser.getText());
      case VALUE_NUMBER_INT -> whole(parser);
      case VALUE_NUMBER_FLOAT -> fraction(parser);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw UniserveException.invalid("not JSON: " + parser.currentToken());
    };
  }

  private Map<String, Object> map(JsonParser parser) throws IOException {
    Map<String, Object> map = new LinkedHashMap<>();
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      parser.nextToken();
      map.put(OutsideText.requireWhole(name), value(parser));
    }
    return map;
  }

  private List<Object> list(JsonParser parser) throws IOException {
    List<Object> list = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      list.add(value(parser));
    }
    return list;
  }

  private Number whole(JsonParser parser) throws IOException {
    if (parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER) {
      return parser.getLongValue();
    }
    if (!anyNumbers) {
      throw UniserveException.invalid(
          "the number " + shortened(parser) + " does not fit into 64 bits");
    }
    BigInteger number = parser.getBigIntegerValue();
    requireFinite(parser, number.doubleValue());
    return number;
  }

  private Number fraction(JsonParser parser) throws IOException {
    if (!anyNumbers || parser.getTextLength() <= EXACT_CHARS_MAX) {
      return requireFinite(parser, parser.getDoubleValue());
    }
    BigDecimal exact = parser.getDecimalValue();
    double number = requireFinite(parser, exact.doubleValue());
    return exact.compareTo(BigDecimal.valueOf(number)) == 0 ? (Number) number : exact;
  }

  private static double requireFinite(JsonParser parser, double number) throws IOException {
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
