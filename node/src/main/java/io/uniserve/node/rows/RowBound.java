package io.uniserve.node.rows;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * A bound that keeps a parser from reading a whole file as one row, for instance after a quote that
 * is never closed.
 */
final class RowBound extends FilterInputStream {
  /** The number of bytes that parsers may read ahead. */
  private static final int SLACK_BYTES = 1 << 20;

  private final String file;
  private long sinceRow;

  RowBound(String file, InputStream in) {
    super(in);
    this.file = file;
  }

  /** Notes that a row ended. */
  void nextRow() {
    sinceRow = 0;
  }

  @Override
  public int read() throws IOException {
    int read = in.read();
    count(read < 0 ? 0 : 1);
    return read;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read = in.read(bytes, offset, length);
    count(Math.max(0, read));
    return read;
  }

  private void count(int read) {
    sinceRow += read;
    if (sinceRow > RowReader.ROW_BYTES_MAX + SLACK_BYTES) {
      throw new UniserveException(
          ErrorCode.TOO_LARGE,
          file + ": a record is longer than " + RowReader.ROW_BYTES_MAX + " bytes");
    }
  }
}
