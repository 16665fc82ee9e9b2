package io.uniserve.node.load;

import io.uniserve.node.rows.Item;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Records on their way to the cluster, with their places of origin. */
final class Batch {
  private final long number;
  private final Lines lines = new Lines();
  private final List<Item.Place> places = new ArrayList<>();

  Batch(long number) {
    this.number = number;
  }

  void add(Item.Row row) {
    lines.writeBytes(row.json());
    lines.write('\n');
    places.add(row.place());
  }

  boolean fits(Item.Row row, int recordsMax, int bytesMax) {
    return places.isEmpty()
        || (places.size() < recordsMax && lines.size() + row.json().length + 1 <= bytesMax);
  }

  boolean isEmpty() {
    return places.isEmpty();
  }

  long number() {
    return number;
  }

  /** Returns the records, one a line. */
  ByteBuffer lines() {
    return lines.view();
  }

  /** Returns the origin of the record of a line, counted from 1. */
  Item.Place place(long line) {
    return places.get((int) line - 1);
  }

  /** A buffer whose contents are sent without being copied. */
  private static final class Lines extends ByteArrayOutputStream {
    Lines() {
      super(1 << 16);
    }

    ByteBuffer view() {
      return ByteBuffer.wrap(buf, 0, count);
    }
  }
}
