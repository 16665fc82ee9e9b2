package io.uniserve.api.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.nio.ByteBuffer;

/**
 * A reader of values that {@link Encoder} wrote. It trusts nothing: a length beyond the bytes at
 * hand, an overlong number or nesting deeper than {@value #DEPTH_MAX} is an {@link
 * ErrorCode#CORRUPT} error.
 */
public final class Decoder {
  /** The deepest nesting of values. */
  public static final int DEPTH_MAX = 64;

  private static final char REPLACEMENT = '\uFFFD';

  private final ByteBuffer bytes;
  private int depth;
  private int version = Integer.MAX_VALUE;

  /** Makes a decoder of the remaining bytes of a buffer, whose position does not change. */
  public Decoder(ByteBuffer bytes) {
    this.bytes = bytes.slice();
  }

  /** Makes a decoder of an array. */
  public Decoder(byte[] bytes) {
    this(ByteBuffer.wrap(bytes));
  }

  /** Sets the version of the form that the remaining bytes have; see {@link Form}. */
  void readsVersion(int found) {
    version = found;
  }

  /** Returns whether the bytes hold components that were added in a version. */
  boolean has(int since) {
    return version >= since;
  }

  /** Returns the number of bytes that are left. */
  public int remaining() {
    return bytes.remaining();
  }

  /** Reads one byte, 0 to 255. */
  public int readByte() {
    require(1);
    return bytes.get() & 0xff;
  }

  /** Reads one byte, which must be 0 or 1. */
  public boolean readBoolean() {
    int value = readByte();
    if (value > 1) {
      throw corrupt("a boolean of " + value);
    }
    return value == 1;
  }

  /**
   * Reads a count or length that {@link Encoder#writeUnsigned} wrote. It must not exceed the number
   * of bytes that are left.
   */
  public int readLength() {
    return readCount(1);
  }

  /**
   * Reads a count that {@link Encoder#writeUnsigned} wrote. The bytes that are left must suffice
   * for so many values.
   *
   * @param bytesEach the least size of a value
   */
  public int readCount(int bytesEach) {
    long value = readVarLong();
    if (value < 0 || value > remaining() / bytesEach) {
      throw corrupt("a count of " + value + " with " + remaining() + " bytes left");
    }
    return (int) value;
  }

  /** Reads a number that {@link Encoder#writeUnsigned} wrote and that is not a length. */
  public int readUnsigned() {
    long value = readVarLong();
    if (value < 0 || value > 0xFFFFFFFFL) {
      throw corrupt("an unsigned number beyond 32 bits");
    }
    return (int) value;
  }

  /** Reads a signed number. */
  public long readLong() {
    long value = readVarLong();
    return (value >>> 1) ^ -(value & 1);
  }

  /** Reads a number of eight bytes. */
  public double readDouble() {
    return Double.longBitsToDouble(readFixedLong());
  }

  /** Reads a number of four bytes. */
  public float readFloat() {
    return Float.intBitsToFloat(readFixedInt());
  }

  /** Reads a number of four bytes. */
  public int readFixedInt() {
    require(4);
    return bytes.getInt();
  }

  /** Reads a number of eight bytes. */
  public long readFixedLong() {
    require(8);
    return bytes.getLong();
  }

  /** Reads a length and a text in UTF-8. */
  public String readString() {
    ByteBuffer view = readView();
    String text =
        view.hasArray()
            ? new String(view.array(), view.arrayOffset(), view.remaining(), UTF_8)
            : UTF_8.decode(view.duplicate()).toString();
    // Bytes that are not UTF-8 become this character, whose own bytes would be others.
    if (text.indexOf(REPLACEMENT) >= 0 && !ByteBuffer.wrap(text.getBytes(UTF_8)).equals(view)) {
      throw corrupt("a text that is not UTF-8");
    }
    return text;
  }

  /** Reads so many bytes as ASCII, without a check. */
  String readText(int length) {
    byte[] text = new byte[length];
    bytes.get(text);
    return new String(text, US_ASCII);
  }

  /** Reads a length and bytes. */
  public byte[] readBytes() {
    byte[] value = new byte[readLength()];
    bytes.get(value);
    return value;
  }

  /** Reads a length and bytes, as a view of the decoder's own buffer. */
  public ByteBuffer readView() {
    int length = readLength();
    ByteBuffer view = bytes.slice(bytes.position(), length);
    bytes.position(bytes.position() + length);
    return view;
  }

  /** Enters a nested value; {@link #leave} must follow. */
  public void enter() {
    if (++depth > DEPTH_MAX) {
      throw corrupt("nesting deeper than " + DEPTH_MAX);
    }
  }

  /** Leaves a nested value. */
  public void leave() {
    depth--;
  }

  /** Checks that everything has been read. */
  public void requireEnd() {
    if (bytes.hasRemaining()) {
      throw corrupt(remaining() + " bytes left over");
    }
  }

  /** Makes an error that says what is wrong with the bytes. */
  public static UniserveException corrupt(String what) {
    return new UniserveException(ErrorCode.CORRUPT, "undecodable bytes: " + what);
  }

  /** Makes such an error with a cause. */
  static UniserveException corrupt(String what, Throwable cause) {
    return new UniserveException(ErrorCode.CORRUPT, "undecodable bytes: " + what, cause);
  }

  private long readVarLong() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      int next = readByte();
      value |= (long) (next & 0x7f) << shift;
      if ((next & 0x80) == 0) {
        if (shift == 63 && next > 1) {
          throw corrupt("a number beyond 64 bits");
        }
        return value;
      }
    }
    throw corrupt("a number longer than ten bytes");
  }

  private void require(int count) {
    if (bytes.remaining() < count) {
      throw corrupt(count + " bytes wanted, " + bytes.remaining() + " left");
    }
  }
}
