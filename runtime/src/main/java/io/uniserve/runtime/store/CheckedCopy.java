package io.uniserve.runtime.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;

/** A copier of streams that computes their checksum on the way. */
public final class CheckedCopy {
  private static final int BUFFER_BYTES = 64 << 10;

  private CheckedCopy() {}

  /**
   * Copies a number of bytes.
   *
   * @return their SHA-256, in hexadecimal
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#CORRUPT} if there are fewer
   */
  public static String copy(InputStream in, OutputStream out, long sizeBytes, String what)
      throws IOException {
    MessageDigest digest = Sha256.begin();
    byte[] buffer = new byte[(int) Math.min(BUFFER_BYTES, Math.max(1, sizeBytes))];
    long left = sizeBytes;
    while (left > 0) {
      int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
      if (read < 0) {
        throw StoreFailures.corrupt(what, left + " of " + sizeBytes + " bytes are missing");
      }
      digest.update(buffer, 0, read);
      out.write(buffer, 0, read);
      left -= read;
    }
    return Sha256.hex(digest.digest());
  }
}
