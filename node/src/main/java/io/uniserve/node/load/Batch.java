package io.uniserve.node.load;

import io.uniserve.node.rows.Item;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Records on their way to the cluster, and where each came from. */
final class Batch {
  private final long number;
  private final ByteArrayOutputStream lines = new ByteArrayOutputStream(1 << 16);
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

  byte[] lines() {
    return lines.toByteArray();
  }

  /** Where the record of a line, counted from 1, came from. */
  Item.Place place(long line) {
    return places.get((int) line - 1);
  }
}
