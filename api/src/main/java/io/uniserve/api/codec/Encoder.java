package io.uniserve.api.codec;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A writer of primitive values into a growing buffer. Numbers are big-endian or, where they tend to
 * be small, varints. It refuses values that {@link Decoder} would refuse.
 */
public final class Encoder {
  /** The largest array that every JVM can make. */
  private static final int SIZE_MAX = Integer.MAX_VALUE - 16;

  private final int pieceMin;
  private final List<ByteBuffer> pieces = new ArrayList<>();
  private byte[] bytes;
  private int size;

  /** The place in the array from which on bytes are in no piece yet. */
  private int begin;

  /** The size in bytes of the pieces that are not in the array. */
  private int referenced;

  private int depth;

  /** Makes an empty encoder. */
  public Encoder() {
    this(256);
  }

  /**
   * Makes an empty encoder.
   *
   * @param capacity expected size in bytes
   */
  public Encoder(int capacity) {
    this(capacity, Integer.MAX_VALUE);
  }

  private Encoder(int capacity, int pieceMin) {
    this.bytes = new byte[capacity];
    this.pieceMin = pieceMin;
  }

  /**
   * Makes an encoder that does not copy large buffers but adds them to its output as pieces. They
   * must not change while the result of {@link #toPieces} is used.
   *
   * @param pieceMin the least size in bytes of a buffer that becomes a piece of its own
   */
  public static Encoder inPieces(int pieceMin) {
    return new Encoder(256, pieceMin);
  }

  /** Returns the number of bytes that have been written. */
  public int size() {
    return size + referenced;
  }

  /**
   * Returns views of the bytes that have been written, one after another; valid until {@link
   * #clear}.
   */
  public List<ByteBuffer> toPieces() {
    cut();
    return List.copyOf(pieces);
  }

  private void cut() {
    if (size > begin) {
      pieces.add(ByteBuffer.wrap(bytes, begin, size - begin).slice());
      begin = size;
    }
  }

  /** Returns a copy of the bytes that have been written. */
  public byte[] toByteArray() {
    requireWhole();
    return Arrays.copyOf(bytes, size);
  }

  /** Returns a view of the bytes that have been written; valid until the next write. */
  public ByteBuffer toByteBuffer() {
    requireWhole();
    return ByteBuffer.wrap(bytes, 0, size).slice();
  }

  private void requireWhole() {
    if (referenced > 0) {
      throw new IllegalStateException("what was written is in " + pieces.size() + " pieces");
    }
  }

  /** Empties the encoder and keeps its memory. */
  public void clear() {
    size = 0;
    begin = 0;
    referenced = 0;
    pieces.clear();
    depth = 0;
  }

  /**
   * Enters a nested value; {@link #leave} must follow.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if values nest deeper than
   *     {@link Decoder#DEPTH_MAX}
   */
  public void enter() {
    if (++depth > Decoder.DEPTH_MAX) {
      throw UniserveException.invalid("a value nested deeper than " + Decoder.DEPTH_MAX);
    }
  }

  /** Leaves a nested value. */
  public void leave() {
    depth--;
  }

  /** Writes one byte. */
  public void writeByte(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  /** Writes one byte, 0 or 1. */
  public void writeBoolean(boolean value) {
    writeByte(value ? 1 : 0);
  }

  /** Writes a count or length in 1 to 5 bytes, fewer for small values. */
  public void writeUnsigned(int value) {
    writeVarLong(Integer.toUnsignedLong(value));
  }

  /** Writes a signed number in 1 to 10 bytes, fewer for small magnitudes. */
  public void writeLong(long value) {
    writeVarLong((value << 1) ^ (value >> 63));
  }

  /** Writes a number in eight bytes. */
  public void writeDouble(double value) {
    writeFixedLong(Double.doubleToRawLongBits(value));
  }

  /** Writes a number in four bytes. */
  public void writeFloat(float value) {
    writeFixedInt(Float.floatToRawIntBits(value));
  }

  /** Writes a number in four bytes. */
  public void writeFixedInt(int value) {
    reserve(4);
    for (int shift = 24; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >>> shift);
    }
  }

  /** Writes a number in eight bytes. */
  public void writeFixedLong(long value) {
    writeFixedInt((int) (value >>> 32));
    writeFixedInt((int) value);
  }

  /**
   * Writes a length and a text in UTF-8.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} for half of a surrogate pair,
   *     which UTF-8 has no form for
   */
  public void writeString(String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    if (hasQuestionMark(utf8)) { // which half a pair has become, too
      requireWholePairs(value);
    }
    writeBytes(utf8);
  }

  /**
   * Returns whether a text has a question mark. A string searches many characters at a time, and
   * most written bytes are texts.
   */
  private static boolean hasQuestionMark(byte[] utf8) {
    return new String(utf8, StandardCharsets.ISO_8859_1).indexOf('?') >= 0;
  }

  /** Writes a length and bytes. */
  public void writeBytes(byte[] value) {
    writeUnsigned(value.length);
    writeRaw(value, 0, value.length);
  }

  /** Writes a length and the remaining bytes of a buffer, whose position does not change. */
  public void writeBytes(ByteBuffer value) {
    int length = value.remaining();
    writeUnsigned(length);
    if (length >= pieceMin) {
      requireRoom(length);
      cut();
      pieces.add(value.slice());
      referenced += length;
      return;
    }
    reserve(length);
    value.get(value.position(), bytes, size, length);
    size += length;
  }

  /** Writes bytes without a length. */
  public void writeRaw(byte[] source, int offset, int length) {
    reserve(length);
    System.arraycopy(source, offset, bytes, size, length);
    size += length;
  }

  private void writeVarLong(long value) {
    reserve(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  private void reserve(int more) {
    if (bytes.length - size < more) {
      requireRoom(more);
      long wanted = (long) size + more;
      long generous = bytes.length + (bytes.length >> 1) + 16L;
      bytes = Arrays.copyOf(bytes, (int) Math.min(SIZE_MAX, Math.max(wanted, generous)));
    }
  }

  private void requireRoom(int more) {
    long wanted = (long) size() + more;
    if (wanted > SIZE_MAX) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE, "an encoding of " + wanted + " bytes, at most " + SIZE_MAX);
    }
  }

  private static void requireWholePairs(String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (Character.isSurrogate(c)) {
        if (!Character.isHighSurrogate(c)
            || i + 1 == value.length()
            || !Character.isLowSurrogate(value.charAt(i + 1))) {
          throw UniserveException.invalid("a text with half a surrogate pair at " + i);
        }
        i++;
      }
    }
  }
}
