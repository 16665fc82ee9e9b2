package io.uniserve.engines.sharedscan.data;

import io.uniserve.engines.sharedscan.schema.TableSchema;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The records of one actor. One thread reads and changes it at a time. Snapshots are read by
 * others: they share chunks, which are copied before they are changed.
 */
public final class Segment implements AutoCloseable {
  private final Layout layout;
  private final List<Chunk> chunks = new ArrayList<>();
  private int filling;
  private volatile long sizeBytes;
  private volatile long records;

  /** Makes a segment without records. */
  public Segment(TableSchema schema) {
    this.layout = new Layout(schema);
  }

  private Segment(Segment of) {
    this.layout = of.layout;
    of.chunks.forEach(Chunk::hold);
    chunks.addAll(of.chunks);
    records = of.records;
  }

  /** Returns the records as they are now; later changes do not reach it. */
  public Segment snapshot() {
    return new Segment(this);
  }

  public TableSchema schema() {
    return layout.schema();
  }

  /** Returns the number of chunks. */
  public int size() {
    return chunks.size();
  }

  /** Returns a chunk to read. */
  public Chunk chunk(int number) {
    return chunks.get(number);
  }

  /** Returns a chunk to change. */
  private Chunk own(int number) {
    Chunk chunk = chunks.get(number);
    if (chunk.isShared()) {
      Chunk copy = chunk.copy();
      chunks.set(number, copy);
      chunk.release();
      return copy;
    }
    return chunk;
  }

  /** Returns how many records there are; may be asked by any thread. */
  public long records() {
    return records;
  }

  /** Returns the size of its memory outside the heap; may be asked by any thread. */
  public long sizeBytes() {
    return sizeBytes;
  }

  /** Changes values of a record. */
  public void set(int chunk, int slot, int[] columns, Object[] stored) {
    Chunk own = own(chunk);
    for (int i = 0; i < columns.length; i++) {
      own.set(columns[i], slot, stored[i]);
    }
  }

  /** Deletes a record. */
  public void delete(int chunk, int slot) {
    own(chunk).delete(slot);
    records--;
    filling = Math.min(filling, chunk);
  }

  /** Returns the number of a chunk with a free slot, which is made if there is none. */
  public int withRoom() {
    while (filling < chunks.size() && chunks.get(filling).live() == Chunk.SLOTS) {
      filling++;
    }
    if (filling == chunks.size()) {
      chunks.add(new Chunk(layout));
    }
    return filling;
  }

  /**
   * Adds records to a chunk until it is full.
   *
   * @param rows their stored values
   * @param from the first of them to add
   * @param slots receives the slot of each, in their order
   * @return the number of those that were added
   */
  public int add(int chunk, List<Object[]> rows, int from, int[] slots) {
    Chunk own = own(chunk);
    int added = 0;
    int slot = own.free(0);
    while (slot < Chunk.SLOTS && from + added < rows.size()) {
      own.add(slot, rows.get(from + added));
      slots[added++] = slot;
      slot = own.free(slot + 1);
    }
    records += added;
    return added;
  }

  /** Adds records. */
  public void addAll(List<Object[]> rows) {
    int[] slots = new int[Chunk.SLOTS];
    for (int from = 0; from < rows.size(); ) {
      from += add(withRoom(), rows, from, slots);
    }
    measure();
  }

  /**
   * Adds records in compact form.
   *
   * @throws io.uniserve.api.error.UniserveException if they have no values of the columns
   */
  void addAll(ChunkCells cells, ByteBuffer block, int count) {
    int added = 0;
    while (added < count) {
      Chunk own = own(withRoom());
      for (int slot = own.free(0); slot < Chunk.SLOTS && added < count; slot = own.free(slot + 1)) {
        cells.take(block, own, slot);
        added++;
      }
    }
    records += added;
  }

  /** Frees the chunks without records, and measures the others. */
  public void measure() {
    for (int i = chunks.size() - 1; i >= 0; i--) {
      if (chunks.get(i).live() == 0) {
        chunks.remove(i).release();
        filling = 0;
      }
    }
    sizeBytes = chunks.stream().mapToLong(Chunk::sizeBytes).sum();
  }

  /** Moves the records together, if half of the slots are free. */
  public void pack() {
    if (records * 2 > (long) chunks.size() * Chunk.SLOTS || chunks.size() < 2) {
      measure();
      return;
    }
    List<Chunk> before = List.copyOf(chunks);
    chunks.clear();
    filling = 0;
    records = 0;
    for (Chunk chunk : before) {
      addAll(rows(chunk));
      chunk.release();
    }
    measure();
  }

  /** Returns the stored values of all records of a chunk. */
  public static List<Object[]> rows(Chunk chunk) {
    List<Object[]> rows = new ArrayList<>(chunk.live());
    for (int slot = 0; slot < Chunk.SLOTS; slot++) {
      if (chunk.isLive(slot)) {
        Object[] row = new Object[chunk.schema().size()];
        for (int column = 0; column < row.length; column++) {
          row[column] = chunk.stored(column, slot);
        }
        rows.add(row);
      }
    }
    return rows;
  }

  /** Frees its memory, except what snapshots hold. */
  @Override
  public void close() {
    chunks.forEach(Chunk::release);
    chunks.clear();
    sizeBytes = 0;
  }
}
