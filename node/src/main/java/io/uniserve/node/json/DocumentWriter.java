package io.uniserve.node.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;

/** A writer of documents. */
public final class DocumentWriter {
  private DocumentWriter() {}

  /**
   * Writes one document.
   *
   * @throws IllegalArgumentException if a value is no document
   */
  public static void write(Object document, JsonGenerator out) throws IOException {
    switch (document) {
      case null -> out.writeNull();
      case String text -> out.writeString(text);
      case Boolean flag -> out.writeBoolean(flag);
      case Integer number -> out.writeNumber(number);
      case Long number -> out.writeNumber(number);
      case Float number -> writeDouble(number, out);
      case Double number -> writeDouble(number, out);
      case BigInteger number -> out.writeNumber(number);
      case BigDecimal number -> out.writeNumber(number);
      case Map<?, ?> map -> writeMap(map, out);
      case Iterable<?> list -> writeList(list, out);
      default ->
          throw new IllegalArgumentException(
              "a " + document.getClass().getName() + " is not a document");
    }
  }

  private static void writeDouble(double number, JsonGenerator out) throws IOException {
    if (Double.isFinite(number)) {
      out.writeNumber(number);
    } else {
      out.writeNull(); // JSON has no other form for it
    }
  }

  private static void writeMap(Map<?, ?> map, JsonGenerator out) throws IOException {
    out.writeStartObject();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      out.writeFieldName((String) entry.getKey());
      write(entry.getValue(), out);
    }
    out.writeEndObject();
  }

  private static void writeList(Iterable<?> list, JsonGenerator out) throws IOException {
    out.writeStartArray();
    for (Object element : list) {
      write(element, out);
    }
    out.writeEndArray();
  }
}
