package io.uniserve.runtime.store;

import io.uniserve.api.codec.Form;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/** The contents of a small file with a CRC-32C before them, so that damage is noticed. */
public final class SealedFile {
  private SealedFile() {}

  /** Returns what the file has. */
  public static byte[] seal(byte[] contents) {
    return ByteBuffer.allocate(Integer.BYTES + contents.length)
        .putInt(checksum(contents))
        .put(contents)
        .array();
  }

  /** Returns the contents of a file; empty if they are damaged. */
  public static Optional<byte[]> open(byte[] sealed) {
    if (sealed.length < Integer.BYTES) {
      return Optional.empty();
    }
    byte[] contents = Arrays.copyOfRange(sealed, Integer.BYTES, sealed.length);
    return ByteBuffer.wrap(sealed).getInt() == checksum(contents)
        ? Optional.of(contents)
        : Optional.empty();
  }

  /**
   * Returns the contents of a file that had no checksum in version 1 of its form; empty if they are
   * damaged. What looks like version 1 is decoded, or is damaged.
   */
  public static Optional<byte[]> openSealedSince2(byte[] file) {
    boolean first = file.length > 1 && file[0] == Form.MARK && file[1] == 1;
    return open(file).or(() -> first ? Optional.of(file) : Optional.empty());
  }

  private static int checksum(byte[] contents) {
    CRC32C crc = new CRC32C();
    crc.update(contents);
    return (int) crc.getValue();
  }
}
