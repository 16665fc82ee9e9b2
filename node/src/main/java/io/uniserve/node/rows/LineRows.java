package io.uniserve.node.rows;

import io.uniserve.api.UniserveException;
import io.uniserve.surfaces.OutsideText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** JSON lines: one object on each line; empty lines are passed over. */
final class LineRows implements RowReader {
  private final String file;
  private final InputStream in;
  private final byte[] buffer = new byte[64 << 10];
  private int position;
  private int limit;
  private long line;

  LineRows(String file, InputStream in) {
    this.file = file;
    this.in = in;
  }

  @Override
  public Optional<Item> next() throws IOException {
    while (fill()) {
      line++;
      ByteArrayOutputStream row = new ByteArrayOutputStream(512);
      boolean whole = readLine(row);
      Item.Place place = new Item.Place(file, line);
      if (!whole) {
        return Optional.of(
            new Item.Bad(place, "the line is longer than " + ROW_BYTES_MAX + " bytes"));
      }
      byte[] bytes = row.toByteArray();
      if (!blank(bytes)) {
        return Optional.of(item(place, bytes));
      }
    }
    return Optional.empty();
  }

  private static Item item(Item.Place place, byte[] bytes) {
    try {
      OutsideText.requireUtf8(bytes, 0, bytes.length, "the line");
      return new Item.Row(place, bytes);
    } catch (UniserveException e) {
      return new Item.Bad(place, "not UTF-8");
    }
  }

  /** Reads to the end of the line; false if it was too long and only passed over. */
  private boolean readLine(ByteArrayOutputStream row) throws IOException {
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

  private static boolean blank(byte[] bytes) {
    for (byte b : bytes) {
      if (b != ' ' && b != '\t' && b != '\r') {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
