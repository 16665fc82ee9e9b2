package io.uniserve.api.codec;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import java.nio.ByteBuffer;

/**
 * The form in which values are kept: those of a registry, with the version of the form before them.
 * A value is always written in the newest version. Older ones are read as far as they are known,
 * and what they lack is empty (see {@link Since}); what a newer program wrote is refused as a
 * whole, and no part of it skipped.
 *
 * @param name what is kept so, for messages
 * @param oldest the first version that is still read
 * @param version the one that is written
 * @param types of the values
 */
public record Form(String name, int oldest, int version, TypeRegistry types) {
  /** Stands where a value without a version would have the length of its type's name. */
  private static final int MARK = 0;

  /** Checks that the versions have an order. */
  public Form {
    if (oldest < 1 || version < oldest) {
      throw new IllegalArgumentException(name + " in versions " + oldest + " to " + version);
    }
  }

  /** Writes the version, which values follow. */
  public void begin(Encoder out) {
    out.writeByte(MARK);
    out.writeUnsigned(version);
  }

  /**
   * Reads the version: from here on the decoder reads values as that version has them.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} if the version is not known, or
   *     there was none yet; with {@link ErrorCode#CORRUPT} if there is neither a version nor a
   *     value
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

  /** Says that what a decoder reads is of a version that is known otherwise. */
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

  /** A value with its version. */
  public byte[] encode(Object value) {
    Encoder out = new Encoder();
    begin(out);
    types.write(value, out);
    return out.toByteArray();
  }

  /**
   * The value of an expected type that makes up all of these bytes.
   *
   * @throws UniserveException with {@link ErrorCode#UNSUPPORTED} for a version that is not known,
   *     and with {@link ErrorCode#CORRUPT} for bytes that hold no such value
   */
  public <T> T decode(ByteBuffer bytes, Class<T> expected) {
    Decoder in = new Decoder(bytes);
    begin(in);
    return types.readAll(in, expected);
  }
}
