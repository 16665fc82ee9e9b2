package io.uniserve.gateways.flightsql.protocol;

import com.google.protobuf.ByteString;
import io.uniserve.api.codec.Decoder;
import io.uniserve.api.codec.Encoder;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;

/**
 * A query or a change with everything that is needed to run it. A client may also make one itself,
 * since the right to read or to write is checked when it runs.
 *
 * @param id the identity of one run
 * @param warehouse the warehouse that it reads or changes
 * @param sql the text, with a question mark for each parameter
 * @param values the values of the parameters, as {@link io.uniserve.sql.stages.ArrowQuery} takes
 *     them
 */
public record Statement(String id, String warehouse, String sql, List<Object> values) {
  /** The most parameters of one statement. */
  public static final int PARAMETERS_MAX = 1_000;

  private static final int VALUES_CHARS_MAX = 1 << 20;

  /** The first byte of a handle, so that a later version of it is told from this one. */
  private static final int VERSION = 1;

  /** Copies and checks the values. */
  public Statement {
    values = Collections.unmodifiableList(new ArrayList<>(values));
    long chars = values.stream().mapToLong(each -> String.valueOf(each).length()).sum();
    if (values.size() > PARAMETERS_MAX || chars > VALUES_CHARS_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          "SQL: at most "
              + PARAMETERS_MAX
              + " parameters with "
              + VALUES_CHARS_MAX
              + " characters together");
    }
  }

  /** Makes a statement for one run. */
  public static Statement once(String warehouse, String sql, List<Object> values) {
    return new Statement(UUID.randomUUID().toString(), warehouse, sql, values);
  }

  /** Returns this statement with other values. */
  public Statement with(List<Object> others) {
    return new Statement(id, warehouse, sql, others);
  }

  /** Returns the bytes of a handle. */
  public ByteString encoded() {
    Encoder out = new Encoder();
    out.writeByte(VERSION);
    out.writeString(id);
    out.writeString(warehouse);
    out.writeString(sql);
    out.writeUnsigned(values.size());
    for (Object value : values) {
      out.writeByte(kind(value));
      out.writeString(String.valueOf(value));
    }
    return ByteString.copyFrom(out.toByteArray());
  }

  /**
   * Reads the bytes of {@link #encoded}.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if the bytes are no statement
   */
  public static Statement decode(ByteString bytes) {
    try {
      Decoder in = new Decoder(bytes.toByteArray());
      int version = in.readByte();
      if (version != VERSION) {
        throw new IllegalArgumentException("it has version " + version + ", not " + VERSION);
      }
      String id = in.readString();
      String warehouse = in.readString();
      String sql = in.readString();
      int count = in.readCount(2);
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        values.add(value((char) in.readByte(), in.readString()));
      }
      in.requireEnd();
      return new Statement(id, warehouse, sql, values);
    } catch (UniserveException | IllegalArgumentException | DateTimeException e) {
      throw new UniserveException(
          ErrorCode.INVALID_ARGUMENT, "this is no handle of a statement: " + e.getMessage(), e);
    }
  }

  private static char kind(Object value) {
    return switch (value) {
      case null -> 'n';
      case Boolean flag -> 'b';
      case Long number -> 'l';
      case Double number -> 'd';
      case BigDecimal number -> 'm';
      case LocalDate day -> 'D';
      case LocalDateTime time -> 'T';
      default -> 's';
    };
  }

  private static Object value(char kind, String text) {
    return switch (kind) {
      case 'n' -> null;
      case 'b' -> Boolean.valueOf(text);
      case 'l' -> Long.valueOf(text);
      case 'd' -> Double.valueOf(text);
      case 'm' -> new BigDecimal(text);
      case 'D' -> LocalDate.parse(text);
      case 'T' -> LocalDateTime.parse(text);
      case 's' -> text;
      default -> throw new IllegalArgumentException("a value of kind " + kind);
    };
  }
}
