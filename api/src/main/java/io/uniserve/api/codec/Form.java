package io.uniserve.api.codec;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.nio.ByteBuffer;

/**
 * A versioned binary form of values. The types of the values are those of a registry; the version
 * comes before them. A value is always written in the newest version. Older versions are read from
 * the oldest known one on, and components that they lack are empty (see {@link Since}). Bytes of a
 * newer version are refused as a whole.
 *
 * @param name the name of the form, for messages
 * @param oldest the first version that is still read
 * @param version the version that is written
 * @param types the types of the values
 */
public record Form(String name, int oldest, int version, TypeRegistry types) {
  /**
   * The first byte of every form. A value without a version would have the length of its type's
   * name in its place.
   */
  public static final int MARK = 0;

  /** Checks that the oldest version is not newer than the written one. */
  public Form {
    if (oldest < 1 || version < oldest) {
      throw new IllegalArgumentException(name + " in versions " + oldest + " to " + version);
    }
  }

  /** Writes the version, which the values must follow. */
  public void begin(Encoder out) {
    out.writeByte(MARK);
    out.writeUnsigned(version);
  }

  /**
   * Reads the version. From here on the decoder reads values in that version.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if the version is not known, or if
   *     the bytes are from a time without versions; with {@link ErrorCode#CORRUPT} if the bytes
   *     begin with neither a version nor a value
   */
  public void begin(Decoder in) {
    int first = in.readByte();
    if (first != MARK) {
      throw types.isName(in.readText(Math.min(first, in.remaining())))
          ? unknown("was written before it had versions")
          : Decoder.corrupt("no version of the form of " + name);
    }
    int found = in.readUnsigned();
    if (found < oldest || found > version) {
      throw unknown("has version " + Integer.toUnsignedString(found));
    }
    in.readsVersion(found);
  }

  /** Sets a decoder's version where the bytes do not hold it and the caller knows it. */
  public void readAs(Decoder in, int known) {
    in.readsVersion(known);
  }

  private UniserveException unknown(String found) {
    String known =
        oldest == version ? "version " + version : "versions " + oldest + " to " + version;
    return new UniserveException(
        ErrorCode.UNSUPPORTED,
        "the form of " + name + " " + found + "; this program knows " + known);
  }

  /** Encodes a value with its version. */
  public byte[] encode(Object value) {
    Encoder out = new Encoder();
    begin(out);
    types.write(value, out);
    return out.toByteArray();
  }

  /**
   * Decodes one value of an expected type from all of these bytes.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} for an unknown version, and with
   *     {@link ErrorCode#CORRUPT} for bytes that hold no such value
   */
  public <T> T decode(ByteBuffer bytes, Class<T> expected) {
    Decoder in = new Decoder(bytes);
    begin(in);
    return types.readAll(in, expected);
  }
}
