package io.uniserve.gateways.flightsql.protocol;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.arrow.flight.FlightProducer.ServerStreamListener;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.pojo.Schema;

/** An answer about the catalog: a few rows, sent at once. */
public record Listing(BufferAllocator memory) {
  /** The escape character in patterns of names. */
  static final char ESCAPE = '\\';

  /** Sends rows of texts, numbers, flags, bytes, lists of these, and nulls. */
  public void send(Schema schema, List<List<Object>> rows, ServerStreamListener listener) {
    try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, memory)) {
      listener.start(root);
      for (int row = 0; row < rows.size(); row++) {
        for (int column = 0; column < rows.get(row).size(); column++) {
          set(root.getVector(column), row, rows.get(row).get(column));
        }
      }
      root.setRowCount(rows.size());
      listener.putNext();
      listener.completed();
    }
  }

  private static void set(FieldVector column, int row, Object value) {
    switch (column) {
      case FieldVector nothing when value == null -> nothing.setNull(row);
      case IntVector numbers -> numbers.setSafe(row, (Integer) value);
      case BitVector flags -> flags.setSafe(row, (Boolean) value ? 1 : 0);
      case VarBinaryVector bytes -> bytes.setSafe(row, (byte[]) value);
      case ListVector lists -> {
        int from = lists.startNewValue(row);
        List<?> values = (List<?>) value;
        for (int i = 0; i < values.size(); i++) {
          set(lists.getDataVector(), from + i, values.get(i));
        }
        lists.endValue(row, values.size());
      }
      default ->
          ((VarCharVector) column).setSafe(row, ((String) value).getBytes(StandardCharsets.UTF_8));
    }
  }

  /**
   * Returns a test for a pattern of {@code LIKE}; it accepts everything if there is no pattern. A
   * character after {@value #ESCAPE} stands for itself.
   */
  public static Predicate<String> like(boolean given, String pattern) {
    if (!given) {
      return name -> true;
    }
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      boolean escapes = c == ESCAPE && i + 1 < pattern.length();
      regex.append(
          switch (c) {
            case '%' -> ".*";
            case '_' -> ".";
            default -> Pattern.quote(Character.toString(escapes ? pattern.charAt(++i) : c));
          });
    }
    return Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE).asMatchPredicate();
  }
}
