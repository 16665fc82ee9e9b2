package io.uniserve.node.rows;

import io.uniserve.api.error.UniserveException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A stream that refuses a file that is not UTF-8, naming the first such line: a decoder reads ahead
 * and would not know it.
 */
final class Utf8Input extends FilterInputStream {
  private final String file;
  private long line = 1;
  private int wanted;
  private int lowest = 0x80;
  private int highest = 0xbf;

  Utf8Input(String file, InputStream in) {
    super(in);
    this.file = file;
  }

  @Override
  public int read() throws IOException {
    int each = in.read();
    if (each >= 0) {
      check(each);
    } else {
      requireWhole();
    }
    return each;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = in.read(bytes, offset, length);
    for (int i = 0; i < read; i++) {
      check(bytes[offset + i] & 0xff);
    }
    if (read < 0) {
      requireWhole();
    }
    return read;
  }

  /** Requires that the file does not end within a character. */
  private void requireWhole() {
    if (wanted > 0) {
      throw refused();
    }
  }

  /** Checks a byte of a character: the first tells how many follow, and the range of the second. */
  private void check(int each) {
    if (wanted == 0 ? each < 0x80 : each >= lowest && each <= highest) {
      wanted = Math.max(0, wanted - 1);
      line += each == '\n' ? 1 : 0;
      lowest = 0x80;
      highest = 0xbf;
    } else if (wanted == 0 && each >= 0xc2 && each <= 0xf4) {
      wanted = each < 0xe0 ? 1 : each < 0xf0 ? 2 : 3;
      lowest = each == 0xe0 ? 0xa0 : each == 0xf0 ? 0x90 : 0x80;
      highest = each == 0xed ? 0x9f : each == 0xf4 ? 0x8f : 0xbf;
    } else {
      throw refused();
    }
  }

  private UniserveException refused() {
    return UniserveException.invalid(file + ", line " + line + ": not UTF-8");
  }
}
