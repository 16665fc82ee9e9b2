package io.uniserve.backends.monetdb;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.sql.arrow.Blocks;
import io.uniserve.sql.backend.Row;
import io.uniserve.sql.syntax.SqlTable;
import io.uniserve.sql.syntax.SqlType;
import java.io.IOException;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DateDayVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;

/**
 * The text form that MonetDB's {@code COPY} reads: fields between bars, texts in quotes with
 * backslash escapes. MonetDB reads the least number of a type, and NaN, as null, so these are
 * refused.
 */
final class MonetText {
  private static final String NULL = "\\N";

  private MonetText() {}

  /** Checks that MonetDB can represent a value. */
  static void check(SqlType type, Object value) {
    boolean stored =
        switch (type.kind()) {
          case INTEGER -> (Long) value != Integer.MIN_VALUE;
          case BIGINT -> (Long) value != Long.MIN_VALUE;
          case DOUBLE -> Double.isFinite((Double) value);
          case VARCHAR -> ((String) value).chars().noneMatch(MonetText::isForeign);
          case DATE -> isStored(LocalDate.ofEpochDay((Long) value));
          case BOOLEAN, DECIMAL -> true;
          case TIMESTAMP -> false;
        };
    if (!stored) {
      throw none(value);
    }
  }

  /**
   * Returns whether the driver cannot write a character: it writes those beyond 16 bits as two, and
   * has no zero.
   */
  static boolean isForeign(int c) {
    return c == 0 || Character.isSurrogate((char) c);
  }

  private static boolean isStored(LocalDate date) {
    return date.getYear() >= 1 && date.getYear() <= 9999;
  }

  /** Writes rows of a table. Their values must have been checked. */
  static void write(SqlTable table, Collection<Row> rows, Writer out) throws IOException {
    for (Row row : rows) {
      for (int i = 0; i < table.columns().size(); i++) {
        Object value = row.values().get(i);
        separate(out, i);
        out.write(value == null ? NULL : text(table.columns().get(i).type(), value));
      }
      out.write('\n');
    }
  }

  private static String text(SqlType type, Object value) {
    return switch (type.kind()) {
      case INTEGER -> number((Long) value, Integer.MIN_VALUE);
      case BIGINT -> number((Long) value, Long.MIN_VALUE);
      case DOUBLE -> number((Double) value);
      case VARCHAR -> quoted((String) value);
      case DATE -> date((Long) value);
      case BOOLEAN, DECIMAL -> value.toString();
      case TIMESTAMP -> throw unknown(type);
    };
  }

  /**
   * Returns the declarations of rows' columns in MonetDB. For rows of actors they depend on the
   * types alone: each actor gets other rows, and its results must have the same columns everywhere.
   * Decimals with more digits come only from the client, which sends the same rows to every actor.
   * Their scale is found from the values.
   */
  static String columns(List<ByteBuffer> blocks) {
    List<Integer> scales = new ArrayList<>();
    List<String> columns = new ArrayList<>();
    for (ByteBuffer block : blocks) {
      Blocks.read(
          block,
          rows -> {
            columns.clear();
            for (int i = 0; i < rows.getFieldVectors().size(); i++) {
              if (scales.size() <= i) {
                scales.add(0);
              }
              FieldVector values = rows.getVector(i);
              scales.set(i, Math.max(scales.get(i), scale(values)));
              String name = MonetSession.quoted(values.getName());
              columns.add(name + " " + type(values.getField().getType(), scales.get(i)));
            }
          });
    }
    return String.join(", ", columns);
  }

  /** Returns the number of digits after the point that a column needs. */
  private static int scale(FieldVector values) {
    if (!(values instanceof DecimalVector decimals)) {
      return 0;
    }
    if (decimals.getPrecision() <= MonetRows.DECIMAL_DIGITS) {
      return decimals.getScale();
    }
    return IntStream.range(0, decimals.getValueCount())
        .filter(row -> !decimals.isNull(row))
        .map(row -> decimals.getObject(row).stripTrailingZeros().scale())
        .reduce(0, Math::max);
  }

  private static String type(ArrowType type, int scale) {
    return switch (type) {
      case ArrowType.Bool bool -> "BOOLEAN";
      case ArrowType.Int number when number.getBitWidth() < Integer.SIZE -> "INTEGER";
      case ArrowType.Int number when number.getBitWidth() == Integer.SIZE && number.getIsSigned() ->
          "INTEGER";
      case ArrowType.Int number -> "BIGINT";
      case ArrowType.Decimal number when scale <= MonetDialect.PRECISION_MAX ->
          "DECIMAL(%d, %d)"
              .formatted(Math.min(number.getPrecision(), MonetDialect.PRECISION_MAX), scale);
      case ArrowType.FloatingPoint number
          when number.getPrecision() == FloatingPointPrecision.DOUBLE ->
          "DOUBLE";
      case ArrowType.Utf8 text -> "CLOB";
      case ArrowType.Date date -> "DATE";
      default -> throw unknown(type);
    };
  }

  /** Writes the rows of earlier stages. */
  static void write(VectorSchemaRoot rows, Writer out) {
    try {
      for (int row = 0; row < rows.getRowCount(); row++) {
        int column = 0;
        for (FieldVector values : rows.getFieldVectors()) {
          separate(out, column++);
          out.write(values.isNull(row) ? NULL : text(values, row));
        }
        out.write('\n');
      }
    } catch (IOException e) {
      throw UniserveException.of(e);
    }
  }

  private static String text(FieldVector values, int row) {
    return switch (values) {
      case BitVector flags -> flags.get(row) == 1 ? "true" : "false";
      case BaseIntVector numbers -> number(numbers.getValueAsLong(row), Long.MIN_VALUE);
      case DecimalVector numbers -> numbers.getObject(row).stripTrailingZeros().toPlainString();
      case Float8Vector numbers -> number(numbers.get(row));
      case VarCharVector texts -> quoted(texts.getObject(row).toString());
      case DateDayVector days -> date(days.get(row));
      default -> throw unknown(values.getField().getType());
    };
  }

  private static void separate(Writer out, int column) throws IOException {
    if (column > 0) {
      out.write('|');
    }
  }

  private static String number(long value, long least) {
    if (value == least) {
      throw none(value);
    }
    return Long.toString(value);
  }

  private static String number(double value) {
    if (!Double.isFinite(value)) {
      throw none(value);
    }
    return Double.toString(value);
  }

  private static String date(long day) {
    LocalDate date = LocalDate.ofEpochDay(day);
    if (!isStored(date)) {
      throw none(date);
    }
    return date.toString();
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (isForeign(c)) {
        throw none("a text with characters beyond 16 bits");
      }
      switch (c) {
        case '\\', '"' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        default -> out.append(c);
      }
    }
    return out.append('"').toString();
  }

  private static UniserveException none(Object value) {
    return new UniserveException(ErrorCode.INVALID_ARGUMENT, "MonetDB does not have " + value);
  }

  /** Makes the error for a type that is not exchanged with MonetDB. */
  static UniserveException unknown(Object type) {
    return new UniserveException(
        ErrorCode.UNSUPPORTED, "SQL: actors in MonetDB have no type " + type);
  }
}
