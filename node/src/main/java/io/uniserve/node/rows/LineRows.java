package io.uniserve.node.rows;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.uniserve.api.error.UniserveException;
import io.uniserve.surfaces.OutsideText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** JSON lines: one object on each line; empty lines are skipped. */
final class LineRows implements RowReader {
  private final String file;
  private final InputStream in;
  private final byte[] buffer = new byte[64 << 10];
  private final ByteArrayOutputStream row = new ByteArrayOutputStream(512);
  private int position;
  private int limit;
  private long line;

  LineRows(String file, InputStream in) {
    this.file = file;
    this.in = in;
  }

  @Override
  public Optional<Item> next() throws IOException {
    row.reset();
    if (!passBlankLines()) {
      return Optional.empty();
    }
    Item.Place place = new Item.Place(file, ++line);
    return Optional.of(
        readLine()
            ? item(place, row.toByteArray())
            : new Item.Bad(place, "the line is longer than " + ROW_BYTES_MAX + " bytes"));
  }

  private static Item item(Item.Place place, byte[] bytes) {
    try {
      OutsideText.requireUtf8(bytes, 0, bytes.length, "the line");
      return new Item.Row(place, bytes);
    } catch (UniserveException e) {
      return new Item.Bad(place, "not UTF-8");
    }
  }

  /**
   * Skips blank lines, of which there may be very many. It keeps the beginning of a line, so that
   * columns in error messages are right. Returns false at the end.
   */
  private boolean passBlankLines() throws IOException {
    long blanks = 0;
    while (fill()) {
      int end = blankUntil();
      for (int i = position; i < end; i++) {
        boolean ends = buffer[i] == '\n';
        line += ends ? 1 : 0;
        blanks = ends ? 0 : blanks + 1;
      }
      position = end;
      if (end < limit) {
        row.writeBytes(" ".repeat((int) Math.min(blanks, ROW_BYTES_MAX + 1)).getBytes(US_ASCII));
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the end of the blank part. It is a method of its own, since the JVM compiles a method
   * that is called often sooner than a long loop.
   */
  private int blankUntil() {
    int end = position;
    while (end < limit
        && (buffer[end] == '\n'
            || buffer[end] == ' '
            || buffer[end] == '\t'
            || buffer[end] == '\r')) {
      end++;
    }
    return end;
  }

  /** Reads to the end of the line; returns false if it was too long and only skipped. */
  private boolean readLine() throws IOException {
    boolean whole = true;
    while (fill()) {
      int start = position;
      while (position < limit && buffer[position] != '\n') {
        position++;
      }
      whole = whole && row.size() + position - start <= ROW_BYTES_MAX;
      if (whole) {
        row.write(buffer, start, position - start);
      }
      if (position < limit) {
        position++;
        return whole;
      }
    }
    return whole;
  }

  private boolean fill() throws IOException {
    if (position == limit) {
      position = 0;
      limit = Math.max(0, in.read(buffer));
    }
    return position < limit;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
