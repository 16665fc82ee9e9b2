package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import io.uniserve.engines.sharedscan.data.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The join of one batch with the records of a segment. Each record meets the operations that match
 * it in their order. Records that no change matches are given to queries a chunk at a time; a
 * record that a change matches is {@linkplain Touched taken alone}. What it does equals doing one
 * operation after the other, since every operation looks at one record at a time.
 */
final class Join {
  private final Segment segment;
  private final Batch batch;
  private final Touched touched;
  private final long[] scratch = new long[Chunk.WORDS];
  private final long[] other = new long[Chunk.WORDS];
  private final long[] numbers = new long[Chunk.SLOTS];
  private final long[] moreNumbers = new long[Chunk.SLOTS];
  private final long[] changing = new long[Chunk.WORDS];
  private final Pairs found = new Pairs();
  private int step;

  private Join(Segment segment, Batch batch) {
    this.segment = segment;
    this.batch = batch;
    this.touched = new Touched(segment, batch);
  }

  /**
   * Runs one cycle.
   *
   * @param frequencies estimates of the segment
   * @param costs decide how operations are found
   * @return the ways in which the operations were found
   */
  static CycleReport.Indexes run(
      Segment segment, List<Operation> operations, Frequencies frequencies, Costs costs) {
    frequencies.cycle(segment);
    Batch batch = new Batch(operations, segment, frequencies, costs);
    Join join = new Join(segment, batch);
    join.passOver();
    join.insert();
    if (operations.stream().anyMatch(one -> !(one instanceof Operation.Query))) {
      segment.measure();
    }
    return batch.indexes();
  }

  private void passOver() {
    long[] live = new long[Chunk.WORDS];
    for (int number = 0; number < segment.size(); number++) {
      Chunk chunk = segment.chunk(number);
      for (int word = 0; word < Chunk.WORDS; word++) {
        live[word] = chunk.liveWord(word);
      }
      meet(number, live, null);
    }
  }

  /** Inserts records, which meet only the operations after their own. */
  private void insert() {
    List<Object[]> rows = new ArrayList<>();
    List<Integer> births = new ArrayList<>();
    for (int place = 0; place < batch.size(); place++) {
      if (batch.operation(place).operation() instanceof Operation.Insertion insertion) {
        rows.addAll(insertion.rows());
        for (int i = 0; i < insertion.rows().size(); i++) {
          births.add(place);
        }
      }
    }
    int[] slots = new int[Chunk.SLOTS];
    int[] born = new int[Chunk.SLOTS];
    long[] fresh = new long[Chunk.WORDS];
    for (int from = 0; from < rows.size(); ) {
      int number = segment.withRoom();
      int added = segment.add(number, rows, from, slots);
      Arrays.fill(fresh, 0);
      for (int i = 0; i < added; i++) {
        fresh[slots[i] / Long.SIZE] |= 1L << slots[i];
        born[slots[i]] = births.get(from + i);
      }
      if (births.get(from) + 1 < batch.size()) {
        meet(number, fresh, born);
      }
      from += added;
    }
  }

  /**
   * Lets records of a chunk meet the operations.
   *
   * @param among the bits of their slots
   * @param born the operation that has inserted each, or null if all are older than the batch
   */
  private void meet(int number, long[] among, int[] born) {
    step++;
    Chunk chunk = segment.chunk(number);
    Arrays.fill(changing, 0);
    for (int place : batch.bulkChanges()) {
      if (matches(place, chunk, among, born)) {
        for (int word = 0; word < Chunk.WORDS; word++) {
          changing[word] |= scratch[word];
        }
        touched.add(scratch, place);
      }
    }
    lookUp(chunk, among, born);
    for (int place : batch.bulkQueries()) {
      Operation.Query query = (Operation.Query) batch.operation(place).operation();
      if (query.isActive() && matches(place, chunk, among, born)) {
        give(query, place, chunk);
      }
    }
    touched.meet(number);
  }

  /** Gives a query the records of {@link #scratch} that nobody changes. */
  private void give(Operation.Query query, int place, Chunk chunk) {
    if (touched.isEmpty()) {
      query.sink().takeAll(chunk, scratch);
      return;
    }
    for (int word = 0; word < Chunk.WORDS; word++) {
      other[word] = scratch[word] & changing[word];
      scratch[word] &= ~changing[word];
    }
    touched.add(other, place);
    query.sink().takeAll(chunk, scratch);
  }

  /** Sets {@link #scratch} to the records that pass all tests; returns false if there are none. */
  private boolean matches(int place, Chunk chunk, long[] among, int[] born) {
    Batch.Prepared one = batch.operation(place);
    System.arraycopy(among, 0, scratch, 0, Chunk.WORDS);
    int left = Chunk.SLOTS;
    Atom[] atoms = one.atoms();
    for (int i = 0; i < atoms.length; i++) {
      if (left <= atoms[i].fewOf(step)) {
        left = sift(one, i, chunk);
        break;
      }
      atoms[i].narrow(chunk, step, scratch);
      left = count(scratch);
      if (left == 0) {
        return false;
      }
    }
    if (born != null) {
      left = onlyOlder(place, born);
    }
    return left > 0;
  }

  private static int count(long[] bits) {
    int count = 0;
    for (int word = 0; word < Chunk.WORDS; word++) {
      count += Long.bitCount(bits[word]);
    }
    return count;
  }

  /** Evaluates the tests from one on for each record that is left. */
  private int sift(Batch.Prepared one, int from, Chunk chunk) {
    int left = 0;
    for (int word = 0; word < Chunk.WORDS; word++) {
      long rest = scratch[word];
      while (rest != 0) {
        int slot = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
        for (int i = from; i < one.atoms().length; i++) {
          if (!one.atoms()[i].passes(chunk, slot)) {
            scratch[word] &= ~(rest & -rest);
            break;
          }
        }
        rest &= rest - 1;
      }
      left += Long.bitCount(scratch[word]);
    }
    return left;
  }

  private int onlyOlder(int place, int[] born) {
    int left = 0;
    for (int word = 0; word < Chunk.WORDS; word++) {
      long rest = scratch[word];
      while (rest != 0) {
        int slot = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
        if (born[slot] >= place) {
          scratch[word] &= ~(rest & -rest);
        }
        rest &= rest - 1;
      }
      left += Long.bitCount(scratch[word]);
    }
    return left;
  }

  /** Finds the operations of the indexes. */
  private void lookUp(Chunk chunk, long[] among, int[] born) {
    found.clear();
    for (HashIndex index : batch.hashed()) {
      index.keys(chunk, numbers, moreNumbers);
      index.sift(numbers, other);
      for (int word = 0; word < Chunk.WORDS; word++) {
        long rest = other[word] & among[word];
        while (rest != 0) {
          int slot = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
          for (int entry = index.first(numbers[slot]); entry != 0; entry = index.after(entry)) {
            look(index.operation(entry), chunk, slot, born);
          }
          rest &= rest - 1;
        }
      }
    }
    for (RangeIndex index : batch.ranged()) {
      chunk.numbers(index.column(), numbers);
      for (int word = 0; word < Chunk.WORDS; word++) {
        long rest = among[word];
        while (rest != 0) {
          int slot = word * Long.SIZE + Long.numberOfTrailingZeros(rest);
          for (int place : index.of(numbers[slot])) {
            look(place, chunk, slot, born);
          }
          rest &= rest - 1;
        }
      }
    }
    for (int i = 0; i < found.size(); i++) {
      int slot = found.slot(i);
      if ((changing[slot / Long.SIZE] >>> slot & 1) != 0) {
        touched.add(slot, found.operation(i));
      } else {
        Operation.Query query = (Operation.Query) batch.operation(found.operation(i)).operation();
        if (query.isActive()) {
          query.sink().take(chunk, slot);
        }
      }
    }
  }

  private void look(int place, Chunk chunk, int slot, int[] born) {
    Batch.Prepared one = batch.operation(place);
    if ((born == null || born[slot] < place)
        && one.operation().isActive()
        && one.passes(chunk, slot)) {
      found.add(slot, place);
      if (one.operation() instanceof Operation.Change) {
        changing[slot / Long.SIZE] |= 1L << slot;
      }
    }
  }
}
