package io.uniserve.api.codec;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.nio.ByteBuffer;

/**
 * Reads what {@link Encoder} wrote. Trusts nothing: a length beyond the bytes at hand, an overlong
 * number or nesting deeper than {@value #DEPTH_MAX} is an {@link ErrorCode#CORRUPT} error.
 */
public final class Decoder {
  /** The deepest nesting of values. */
  public static final int DEPTH_MAX = 64;

  private static final char REPLACEMENT = '\uFFFD';

  private final ByteBuffer bytes;
  private int depth;
  private int version = Integer.MAX_VALUE;

  /** Reads the remaining bytes of a buffer, whose position stays. */
  public Decoder(ByteBuffer bytes) {
    this.bytes = bytes.slice();
  }

  /** Reads an array. */
  public Decoder(byte[] bytes) {
    this(ByteBuffer.wrap(bytes));
  }

  /** From here on the bytes are of this version of their form: see {@link Form}. */
  void readsVersion(int found) {
    version = found;
  }

  /** Tells whether the bytes have what came with a version. */
  boolean has(int since) {
    return version >= since;
  }

  /** How many bytes are left. */
  public int remaining() {
    return bytes.remaining();
  }

  /** One byte, 0 to 255. */
  public int readByte() {
    require(1);
    return bytes.get() & 0xff;
  }

  /** One byte, which must be 0 or 1. */
  public boolean readBoolean() {
    int value = readByte();
    if (value > 1) {
      throw corrupt("a boolean of " + value);
    }
    return value == 1;
  }

  /**
   * A count or length as written by {@link Encoder#writeUnsigned}; at most what remains in bytes.
   */
  public int readLength() {
    return readCount(1);
  }

  /**
   * A count as written by {@link Encoder#writeUnsigned}, of values that take at least so many bytes
   * each.
   */
  public int readCount(int bytesEach) {
    long value = readVarLong();
    if (value < 0 || value > remaining() / bytesEach) {
      throw corrupt("a count of " + value + " with " + remaining() + " bytes left");
    }
    return (int) value;
  }

  /** A number as written by {@link Encoder#writeUnsigned}, which is not a length. */
  public int readUnsigned() {
    long value = readVarLong();
    if (value < 0 || value > 0xFFFFFFFFL) {
      throw corrupt("an unsigned number beyond 32 bits");
    }
    return (int) value;
  }

  /** A signed number. */
  public long readLong() {
    long value = readVarLong();
    return (value >>> 1) ^ -(value & 1);
  }

  /** Eight bytes. */
  public double readDouble() {
    return Double.longBitsToDouble(readFixedLong());
  }

  /** Four bytes. */
  public float readFloat() {
    return Float.intBitsToFloat(readFixedInt());
  }

  /** Four bytes. */
  public int readFixedInt() {
    require(4);
    return bytes.getInt();
  }

  /** Eight bytes. */
  public long readFixedLong() {
    require(8);
    return bytes.getLong();
  }

  /** A length and UTF-8. */
  public String readString() {
    ByteBuffer view = readView();
    String text =
        view.hasArray()
            ? new String(view.array(), view.arrayOffset(), view.remaining(), UTF_8)
            : UTF_8.decode(view.duplicate()).toString();
    // What is no UTF-8 becomes this character, which then would not be written with as many bytes.
    if (text.indexOf(REPLACEMENT) >= 0 && !ByteBuffer.wrap(text.getBytes(UTF_8)).equals(view)) {
      throw corrupt("a text that is not UTF-8");
    }
    return text;
  }

  /** So many bytes as ASCII, whatever they are. */
  String readText(int length) {
    byte[] text = new byte[length];
    bytes.get(text);
    return new String(text, US_ASCII);
  }

  /** A length and bytes. */
  public byte[] readBytes() {
    byte[] value = new byte[readLength()];
    bytes.get(value);
    return value;
  }

  /** A length and bytes, as a view of the decoder's own buffer. */
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

  /** An error that says what is wrong with the bytes. */
  public static UniserveException corrupt(String what) {
    return new UniserveException(ErrorCode.CORRUPT, "undecodable bytes: " + what);
  }

  /** The same, because of another error. */
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
