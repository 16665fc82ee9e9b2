package io.uniserve.engines.sharedscan.data;

import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.schema.Column;
import io.uniserve.engines.sharedscan.schema.ColumnType;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The compact form of some values of a record: the bits of missing ones, then the others, numbers
 * in as many bytes as they are stored in, texts after their length.
 *
 * @param columns the columns of the values
 */
public record Cells(List<Column> columns) {
  /** Copies the columns. */
  public Cells {
    columns = List.copyOf(columns);
  }

  private int bitBytes() {
    return (columns.size() + Byte.SIZE - 1) / Byte.SIZE;
  }

  /** Returns the size of values in bytes. */
  public int sizeBytes(Object[] stored) {
    int size = bitBytes();
    for (int i = 0; i < stored.length; i++) {
      size +=
          switch (stored[i]) {
            case null -> 0;
            case byte[] text -> Integer.BYTES + text.length;
            default -> columns.get(i).type().widthBytes();
          };
    }
    return size;
  }

  /**
   * Returns values in compact form.
   *
   * @param stored each a {@link Long}, a {@code byte[]}, or null
   */
  public ByteBuffer of(Object[] stored) {
    ByteBuffer bytes = ByteBuffer.allocate(sizeBytes(stored)).order(ByteOrder.LITTLE_ENDIAN);
    put(stored, bytes);
    return bytes.flip();
  }

  /** Puts values in compact form into a buffer of little-endian order with room for them. */
  public void put(Object[] stored, ByteBuffer into) {
    int bits = into.position();
    for (int i = 0; i < bitBytes(); i++) {
      into.put((byte) 0);
    }
    for (int i = 0; i < stored.length; i++) {
      switch (stored[i]) {
        case null -> {
          int at = bits + i / Byte.SIZE;
          into.put(at, (byte) (into.get(at) | 1 << i % Byte.SIZE));
        }
        case byte[] text -> into.putInt(text.length).put(text);
        case Long number -> putNumber(columns.get(i).type().widthBytes(), number, into);
        default -> throw new IllegalArgumentException("no stored value: " + stored[i]);
      }
    }
  }

  static void putNumber(int width, long number, ByteBuffer into) {
    switch (width) {
      case Byte.BYTES -> into.put((byte) number);
      case Short.BYTES -> into.putShort((short) number);
      case Integer.BYTES -> into.putInt((int) number);
      default -> into.putLong(number);
    }
  }

  /**
   * Takes the values of one record from a buffer of little-endian order.
   *
   * @throws UniserveException if they are no values of the columns
   */
  public Object[] take(ByteBuffer from) {
    try {
      byte[] bits = new byte[bitBytes()];
      from.get(bits);
      Object[] stored = new Object[columns.size()];
      for (int i = 0; i < stored.length; i++) {
        boolean missing = (bits[i / Byte.SIZE] >> i % Byte.SIZE & 1) != 0;
        stored[i] = missing ? null : value(columns.get(i), from);
        requireSound(columns.get(i), stored[i]);
      }
      return stored;
    } catch (BufferUnderflowException e) {
      throw UniserveException.invalid("a record ends too early");
    }
  }

  private static Object value(Column column, ByteBuffer from) {
    return column.isText() ? text(from) : (Object) number(column.type().widthBytes(), from);
  }

  /** Takes a text, in UTF-8. */
  static byte[] text(ByteBuffer from) {
    int length = from.getInt();
    if (length < 0 || length > from.remaining()) {
      throw new BufferUnderflowException();
    }
    byte[] text = new byte[length];
    from.get(text);
    return text;
  }

  /** Takes a number of some bytes. */
  static long number(int width, ByteBuffer from) {
    return switch (width) {
      case Byte.BYTES -> from.get();
      case Short.BYTES -> from.getShort();
      case Integer.BYTES -> from.getInt();
      default -> from.getLong();
    };
  }

  /** Requires that a stored value is one of a column. */
  static void requireSound(Column column, Object stored) {
    boolean sound =
        switch (column.type()) {
          case ColumnType.Choice choice ->
              stored == null || (long) stored - Byte.MIN_VALUE < choice.choices().size();
          case ColumnType.Flag flag -> stored == null || (long) stored >> 1 == 0;
          case ColumnType.Text text ->
              stored == null || ((byte[]) stored).length <= text.bytesMax();
          default -> true;
        };
    if (!sound || stored == null && !column.nullable()) {
      throw UniserveException.invalid(
          "column '" + column.name() + "' of a record has no such value");
    }
  }

  /** Returns stored values as documents. */
  public List<Object> values(Object[] stored) {
    List<Object> values = new ArrayList<>(stored.length);
    for (int i = 0; i < stored.length; i++) {
      values.add(value(columns.get(i), stored[i]));
    }
    return values;
  }

  /** Returns a stored value as a document. */
  public static Object value(Column column, Object stored) {
    return switch (stored) {
      case null -> null;
      case byte[] text -> new String(text, StandardCharsets.UTF_8);
      default -> column.type().value((long) stored);
    };
  }

  /** Returns the columns at some places. */
  public static Cells of(List<Column> all, int[] places) {
    return new Cells(Arrays.stream(places).mapToObj(all::get).toList());
  }
}
