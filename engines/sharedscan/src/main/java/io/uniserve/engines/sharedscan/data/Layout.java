package io.uniserve.engines.sharedscan.data;

import io.uniserve.engines.sharedscan.schema.Column;
import io.uniserve.engines.sharedscan.schema.TableSchema;

/** The places of columns in the memory of a chunk. */
final class Layout {
  private static final long ALIGNMENT = 64;

  private final TableSchema schema;
  private final int[] widths;
  private final long[] numbers;
  private final long[] references;
  private final long[] nulls;
  private final boolean[] text;
  private final long sizeBytes;

  Layout(TableSchema schema) {
    this.schema = schema;
    int columns = schema.size();
    widths = new int[columns];
    numbers = new long[columns];
    references = new long[columns];
    nulls = new long[columns];
    text = new boolean[columns];
    long next = (long) Chunk.WORDS * Long.BYTES; // the bits of live slots come first
    for (int i = 0; i < columns; i++) {
      Column column = schema.column(i);
      widths[i] = column.type().widthBytes();
      text[i] = column.isText();
      numbers[i] = next;
      next = after(next, (long) widths[i] * Chunk.SLOTS);
      if (text[i]) {
        references[i] = next;
        next = after(next, (long) Long.BYTES * Chunk.SLOTS);
      }
      nulls[i] = -1;
      if (column.nullable()) {
        nulls[i] = next;
        next = after(next, (long) Long.BYTES * Chunk.WORDS);
      }
    }
    sizeBytes = next;
    Comparison.prepare();
  }

  private static long after(long start, long size) {
    return (start + size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  TableSchema schema() {
    return schema;
  }

  int columns() {
    return widths.length;
  }

  int width(int column) {
    return widths[column];
  }

  long numbers(int column) {
    return numbers[column];
  }

  /** Returns where the places and lengths of a text column's texts are. */
  long references(int column) {
    return references[column];
  }

  /** Returns where the bits of missing values are; negative if none can be missing. */
  long nulls(int column) {
    return nulls[column];
  }

  boolean isText(int column) {
    return text[column];
  }

  long sizeBytes() {
    return sizeBytes;
  }
}
