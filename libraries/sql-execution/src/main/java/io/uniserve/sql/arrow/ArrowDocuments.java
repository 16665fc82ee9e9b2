package io.uniserve.sql.arrow;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** Rows of Arrow as documents. */
public final class ArrowDocuments {
  private ArrowDocuments() {}

  /** Passes on the rows of a block as documents. */
  public static void read(ByteBuffer block, Consumer<Map<String, Object>> documents) {
    Blocks.read(
        block,
        rows -> {
          for (int row = 0; row < rows.getRowCount(); row++) {
            documents.accept(of(rows, row));
          }
        });
  }

  /** Returns a row as a document. */
  public static Map<String, Object> of(VectorSchemaRoot rows, int row) {
    Map<String, Object> document = new LinkedHashMap<>();
    for (FieldVector column : rows.getFieldVectors()) {
      document.put(column.getName(), value(ArrowValue.of(column, row)));
    }
    return document;
  }

  /** Returns a value as a document. Numbers that JSON lacks, dates and times are texts. */
  static Object value(Object value) {
    return switch (value) {
      case null -> null;
      case Boolean flag -> flag;
      case Long number -> number;
      case Double number when Double.isFinite(number) -> number;
      case BigDecimal number -> number.toPlainString();
      default -> value.toString();
    };
  }
}
