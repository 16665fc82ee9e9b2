package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import io.uniserve.engines.sharedscan.data.Segment;
import java.util.Objects;

/**
 * The records of a chunk that a change of the batch matches, each with the operations that matched
 * it at first. Such a record meets its operations one after the other. Once a change has given it
 * other values, the later operations that test one of these are evaluated again.
 */
final class Touched {
  private final Segment segment;
  private final Batch batch;
  private final Pairs pairs = new Pairs();

  /** The bits of the operations that the present record has still to meet. */
  private final long[] pending;

  private int number;
  private int slot;

  Touched(Segment segment, Batch batch) {
    this.segment = segment;
    this.batch = batch;
    this.pending = new long[batch.size() / Long.SIZE + 1];
  }

  boolean isEmpty() {
    return pairs.size() == 0;
  }

  void add(int slotOfRecord, int operation) {
    pairs.add(slotOfRecord, operation);
  }

  void add(long[] bits, int operation) {
    for (int word = 0; word < Chunk.WORDS; word++) {
      long rest = bits[word];
      while (rest != 0) {
        pairs.add(word * Long.SIZE + Long.numberOfTrailingZeros(rest), operation);
        rest &= rest - 1;
      }
    }
  }

  /** Lets all of them, which are in one chunk, meet their operations, and forgets them. */
  void meet(int chunkNumber) {
    number = chunkNumber;
    pairs.sort();
    for (int from = 0; from < pairs.size(); ) {
      slot = pairs.slot(from);
      int to = from;
      while (to < pairs.size() && pairs.slot(to) == slot) {
        await(pairs.operation(to));
        to++;
      }
      meetOne(pairs.operation(from));
      from = to;
    }
    pairs.clear();
  }

  private void await(int place) {
    pending[place / Long.SIZE] |= 1L << place;
  }

  private boolean awaits(int place) {
    return (pending[place / Long.SIZE] >>> place & 1) != 0;
  }

  private void drop(int place) {
    pending[place / Long.SIZE] &= ~(1L << place);
  }

  /** Returns the first awaited operation from one on; -1 if there is none. */
  private int next(int from) {
    for (int word = from / Long.SIZE; word < pending.length; word++) {
      long rest = word == from / Long.SIZE ? pending[word] & -1L << from : pending[word];
      if (rest != 0) {
        return word * Long.SIZE + Long.numberOfTrailingZeros(rest);
      }
    }
    return -1;
  }

  private void meetOne(int first) {
    boolean deleted = false;
    for (int place = next(first); place >= 0; place = next(place)) {
      drop(place);
      if (deleted) {
        continue;
      }
      switch (batch.operation(place).operation()) {
        case Operation.Query query -> {
          if (query.isActive()) {
            query.sink().take(segment.chunk(number), slot);
          }
        }
        case Operation.Change change -> {
          change.count();
          if (change.deletes()) {
            segment.delete(number, slot);
            deleted = true;
          } else {
            set(change, place);
          }
        }
        case Operation.Insertion insertion ->
            throw new IllegalStateException("an insertion matches nothing");
      }
    }
  }

  private void set(Operation.Change change, int place) {
    Chunk before = segment.chunk(number);
    long mask = 0;
    for (int i = 0; i < change.columns().length; i++) {
      int column = change.columns()[i];
      if (!Objects.deepEquals(before.stored(column, slot), change.stored()[i])) {
        mask |= 1L << column;
      }
    }
    if (mask != 0) {
      segment.set(number, slot, change.columns(), change.stored());
      matchAgain(change, place, mask);
    }
  }

  private void matchAgain(Operation.Change change, int place, long mask) {
    Chunk chunk = segment.chunk(number);
    for (int later = next(place + 1); later >= 0; later = next(later + 1)) {
      Batch.Prepared one = batch.operation(later);
      if (one.mayTest(mask) && !one.passes(chunk, slot)) {
        drop(later);
      }
    }
    for (int column : change.columns()) {
      for (int later : batch.testing(column)) {
        consider(later, place, chunk);
      }
      for (HashIndex index : batch.hashed()) {
        if (index.has(column)) {
          for (int entry = index.first(index.key(chunk, slot));
              entry != 0;
              entry = index.after(entry)) {
            consider(index.operation(entry), place, chunk);
          }
        }
      }
      for (RangeIndex index : batch.ranged()) {
        if (index.column() == column) {
          for (int later : index.of(chunk.number(column, slot))) {
            consider(later, place, chunk);
          }
        }
      }
    }
  }

  private void consider(int later, int after, Chunk chunk) {
    if (later > after && !awaits(later) && batch.operation(later).passes(chunk, slot)) {
      await(later);
    }
  }
}
