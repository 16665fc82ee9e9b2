package io.uniserve.node.rows;

import io.uniserve.api.error.UniserveException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.tukaani.xz.XZInputStream;

/** The recognition and removal of compression, by the contents of a file. */
final class Encodings {
  private static final byte[] GZIP = {0x1f, (byte) 0x8b};
  private static final byte[] XZ = {(byte) 0xfd, '7', 'z', 'X', 'Z', 0};
  private static final byte[] UTF8_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};
  private static final byte[] TAR = {'u', 's', 't', 'a', 'r'};
  private static final int TAR_MAGIC_OFFSET = 257;
  private static final int XZ_MEMORY_KIBIBYTES_MAX = 256 << 10;
  private static final int BUFFER_BYTES = 64 << 10;

  private Encodings() {}

  /** Returns the contents of a file of this name without compression. */
  static BufferedInputStream decompressed(String name, InputStream raw) throws IOException {
    BufferedInputStream in = buffered(raw);
    byte[] start = peek(in, XZ.length);
    if (startsWith(start, GZIP)) {
      return buffered(new GZIPInputStream(in, BUFFER_BYTES));
    }
    if (startsWith(start, XZ)) {
      return buffered(new XZInputStream(in, XZ_MEMORY_KIBIBYTES_MAX));
    }
    requireUncompressedName(name, start.length == 0);
    return in;
  }

  private static void requireUncompressedName(String name, boolean empty) {
    String lower = name.toLowerCase(Locale.ROOT);
    for (String ending : new String[] {".gz", ".xz"}) {
      if (lower.endsWith(ending)) {
        throw UniserveException.invalid(
            name + (empty ? " is empty" : " does not hold what its ending " + ending + " says"));
      }
    }
  }

  /** Returns whether a tar archive begins here. */
  static boolean isTar(BufferedInputStream in) throws IOException {
    byte[] start = peek(in, TAR_MAGIC_OFFSET + TAR.length);
    return start.length == TAR_MAGIC_OFFSET + TAR.length
        && Arrays.equals(start, TAR_MAGIC_OFFSET, start.length, TAR, 0, TAR.length);
  }

  /**
   * Skips a byte order mark and returns the first byte that is no white space; -1 if there is none.
   */
  static int firstByte(BufferedInputStream in) throws IOException {
    if (startsWith(peek(in, UTF8_MARK.length), UTF8_MARK)) {
      in.skipNBytes(UTF8_MARK.length);
    }
    for (byte b : peek(in, BUFFER_BYTES / 2)) {
      if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
        return b & 0xff;
      }
    }
    return -1;
  }

  private static BufferedInputStream buffered(InputStream in) {
    return new BufferedInputStream(in, BUFFER_BYTES);
  }

  private static byte[] peek(BufferedInputStream in, int count) throws IOException {
    in.mark(count);
    byte[] bytes = in.readNBytes(count);
    in.reset();
    return bytes;
  }

  private static boolean startsWith(byte[] bytes, byte[] magic) {
    return bytes.length >= magic.length
        && Arrays.equals(bytes, 0, magic.length, magic, 0, magic.length);
  }
}
