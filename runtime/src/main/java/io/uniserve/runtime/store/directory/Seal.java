package io.uniserve.runtime.store.directory;

import io.uniserve.runtime.store.Sha256;
import io.uniserve.runtime.store.StoreFailures;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The end of an object's file: eight fixed bytes, then the SHA-256 of all bytes before.
 *
 * @param sha256 the hash, in hexadecimal
 */
record Seal(String sha256) {
  private static final byte[] MARK = {'u', 'n', 'i', 's', 'e', 'r', 'v', 1};

  static final int SIZE_BYTES = MARK.length + Sha256.SIZE_BYTES;

  /** Returns the size of the content of a file of this size. */
  static long contentBytes(long fileBytes, String what) {
    if (fileBytes < SIZE_BYTES) {
      throw StoreFailures.corrupt(what, "the file is cut short");
    }
    return fileBytes - SIZE_BYTES;
  }

  static Seal read(InputStream in, String what) throws IOException {
    byte[] bytes = in.readNBytes(SIZE_BYTES);
    if (bytes.length < SIZE_BYTES
        || !Arrays.equals(bytes, 0, MARK.length, MARK, 0, MARK.length)
        || in.read() >= 0) {
      throw StoreFailures.corrupt(what, "the file does not end as it must");
    }
    return new Seal(Sha256.hex(Arrays.copyOfRange(bytes, MARK.length, bytes.length)));
  }

  void write(OutputStream out) throws IOException {
    out.write(MARK);
    out.write(HexFormat.of().parseHex(sha256));
  }

  void require(String found, String what) {
    if (!sha256.equals(found)) {
      throw StoreFailures.corrupt(what, "SHA-256 " + found + ", written was " + sha256);
    }
  }
}
