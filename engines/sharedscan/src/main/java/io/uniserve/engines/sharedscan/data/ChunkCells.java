package io.uniserve.engines.sharedscan.data;

import io.uniserve.api.error.UniserveException;
import io.uniserve.engines.sharedscan.schema.Column;
import io.uniserve.engines.sharedscan.schema.ColumnType;
import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * All records of a chunk in {@linkplain Cells compact form}, without an object for each value. For
 * one thread.
 */
final class ChunkCells {
  private final Column[] columns;
  private final int[] widths;
  private final byte[] missing;

  ChunkCells(TableSchema schema) {
    this.columns = schema.columns().toArray(Column[]::new);
    this.widths = new int[columns.length];
    for (int i = 0; i < columns.length; i++) {
      widths[i] = columns[i].type().widthBytes();
    }
    this.missing = new byte[(columns.length + Byte.SIZE - 1) / Byte.SIZE];
  }

  /** Returns the records of a chunk, one after another. */
  ByteBuffer of(Chunk chunk) {
    ByteBuffer into = ByteBuffer.allocate(sizeBytes(chunk)).order(ByteOrder.LITTLE_ENDIAN);
    for (int slot = 0; slot < Chunk.SLOTS; slot++) {
      if (chunk.isLive(slot)) {
        put(chunk, slot, into);
      }
    }
    return into.flip();
  }

  private int sizeBytes(Chunk chunk) {
    long size = (long) missing.length * chunk.live();
    for (int i = 0; i < columns.length; i++) {
      int each = columns[i].isText() ? Integer.BYTES : widths[i];
      size += (long) each * (chunk.live() - chunk.missing(i));
    }
    return Math.toIntExact(size + chunk.textBytes());
  }

  private void put(Chunk chunk, int slot, ByteBuffer into) {
    int bits = into.position();
    into.position(bits + missing.length);
    for (int i = 0; i < columns.length; i++) {
      if (chunk.isNull(i, slot)) {
        int at = bits + i / Byte.SIZE;
        into.put(at, (byte) (into.get(at) | 1 << i % Byte.SIZE));
      } else if (columns[i].isText()) {
        byte[] text = chunk.text(i, slot);
        into.putInt(text.length).put(text);
      } else {
        Cells.putNumber(widths[i], chunk.number(i, slot), into);
      }
    }
  }

  /**
   * Takes a record from a buffer of little-endian order into a free slot of a chunk.
   *
   * @throws UniserveException if it has no values of the columns
   */
  void take(ByteBuffer from, Chunk chunk, int slot) {
    try {
      from.get(missing);
      for (int i = 0; i < columns.length; i++) {
        if ((missing[i / Byte.SIZE] >> i % Byte.SIZE & 1) != 0) {
          Cells.requireSound(columns[i], null);
          chunk.set(i, slot, null);
        } else if (columns[i].isText()) {
          byte[] text = Cells.text(from);
          Cells.requireSound(columns[i], text);
          chunk.putText(i, slot, text);
        } else {
          long number = Cells.number(widths[i], from);
          requireSound(columns[i], number);
          chunk.putNumber(i, slot, number);
        }
      }
      chunk.enliven(slot);
    } catch (BufferUnderflowException e) {
      throw UniserveException.invalid("a record ends too early");
    }
  }

  private static void requireSound(Column column, long number) {
    if (column.type() instanceof ColumnType.Choice || column.type() instanceof ColumnType.Flag) {
      Cells.requireSound(column, number); // the others have a value of every number
    }
  }
}
