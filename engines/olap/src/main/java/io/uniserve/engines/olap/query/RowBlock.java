package io.uniserve.engines.olap.query;

import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Encoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.druid.query.groupby.ResultRow;

/**
 * Grouped rows of texts and numbers as they travel: column by column, which takes a fraction of the
 * time of Smile. A column is its kind and, for each row, whether it has a value and the value. Rows
 * with other values, such as sketches, travel in Smile.
 */
final class RowBlock {
  /** The most rows of a block. */
  static final int ROWS_MAX = 2_000;

  /** The first byte, which tells this form and its version. Smile begins with a colon. */
  private static final int FORM = 1;

  private static final int NOTHING = 0;
  private static final int TEXT = 1;
  private static final int LONG = 2;
  private static final int DOUBLE = 3;

  /** The kind of a column that cannot be in a block. */
  private static final int OTHER = -1;

  /** The room for a value and its mark in a new block. */
  private static final int VALUE_BYTES = 10;

  private RowBlock() {}

  /** Returns the bytes of some results, at least one, if all are rows that can be in a block. */
  static Optional<byte[]> written(List<?> results) {
    if (!(results.getFirst() instanceof ResultRow first)) {
      return Optional.empty();
    }
    int columns = first.length();
    Encoder out = new Encoder(results.size() * columns * VALUE_BYTES);
    out.writeByte(FORM);
    out.writeUnsigned(results.size());
    out.writeUnsigned(columns);
    for (int column = 0; column < columns; column++) {
      int kind = kind(results, column);
      if (kind == OTHER) {
        return Optional.empty();
      }
      out.writeByte(kind);
      if (kind != NOTHING) {
        for (Object result : results) {
          write(((ResultRow) result).get(column), out);
        }
      }
    }
    return Optional.of(out.toByteArray());
  }

  private static int kind(List<?> results, int column) {
    int kind = NOTHING;
    for (Object result : results) {
      int its = kind(((ResultRow) result).get(column));
      if (kind == NOTHING) {
        kind = its;
      } else if (its != NOTHING && its != kind) {
        return OTHER;
      }
    }
    return kind;
  }

  private static int kind(Object value) {
    return switch (value) {
      case null -> NOTHING;
      case String text -> TEXT;
      case Long number -> LONG;
      case Double number -> DOUBLE;
      default -> OTHER;
    };
  }

  private static void write(Object value, Encoder out) {
    out.writeBoolean(value != null);
    switch (value) {
      case String text -> out.writeBytes(text.getBytes(StandardCharsets.UTF_8));
      case Long number -> out.writeFixedLong(number);
      case Double number -> out.writeFixedLong(Double.doubleToRawLongBits(number));
      case null, default -> {
        // Its mark says that there is nothing.
      }
    }
  }

  /** Returns whether bytes are a block. */
  static boolean is(byte[] bytes) {
    return bytes.length > 0 && bytes[0] == FORM;
  }

  /** Returns the rows of a block. */
  static List<ResultRow> read(byte[] bytes) {
    Decoder in = new Decoder(bytes);
    in.readByte();
    int count = in.readUnsigned();
    int columns = in.readCount(1);
    if (count > ROWS_MAX) {
      throw Decoder.corrupt("a block of " + count + " grouped rows");
    }
    List<ResultRow> rows = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      rows.add(ResultRow.create(columns));
    }
    for (int column = 0; column < columns; column++) {
      int kind = in.readByte();
      if (kind != NOTHING) {
        for (ResultRow row : rows) {
          if (in.readBoolean()) {
            row.set(column, value(kind, in));
          }
        }
      }
    }
    in.requireEnd();
    return rows;
  }

  private static Object value(int kind, Decoder in) {
    return switch (kind) {
      case TEXT -> in.readString();
      case LONG -> in.readFixedLong();
      case DOUBLE -> Double.longBitsToDouble(in.readFixedLong());
      default -> throw Decoder.corrupt("a column of grouped rows");
    };
  }
}
