package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import java.util.Arrays;
import java.util.stream.IntStream;

/** The operations of a batch by the numbers that one or two columns have to have. */
final class HashIndex {
  private static final long SPREAD = 0x9e3779b97f4a7c15L;
  private static final int BITS_PER_KEY = 16;

  private final int[] columns;
  private long[] keys;
  private int[] heads;
  private int[] operations;
  private int[] next;
  private int entries;
  private int keyCount;
  private long[] filter = {};
  private int filterShift;

  /**
   * @param columns the places of one column, or of two, ascending
   */
  HashIndex(int... columns) {
    this.columns = columns;
    this.keys = new long[64];
    this.heads = new int[64];
    this.operations = new int[64];
    this.next = new int[64];
  }

  int[] columns() {
    return columns;
  }

  boolean has(int column) {
    return column == columns[0] || column == columns[columns.length - 1];
  }

  /** Returns the key of two numbers. Few others have the same. */
  static long together(long first, long second) {
    return (first ^ first >>> Integer.SIZE) * SPREAD + second;
  }

  /** Returns the key of a record. */
  long key(Chunk chunk, int slot) {
    long first = chunk.number(columns[0], slot);
    return columns.length == 1 ? first : together(first, chunk.number(columns[1], slot));
  }

  /**
   * Puts the keys of all slots into an array.
   *
   * @param scratch an array of the same length
   */
  void keys(Chunk chunk, long[] into, long[] scratch) {
    chunk.numbers(columns[0], into);
    if (columns.length > 1) {
      chunk.numbers(columns[1], scratch);
      for (int slot = 0; slot < into.length; slot++) {
        into[slot] = together(into[slot], scratch[slot]);
      }
    }
  }

  /** Returns the places of all operations, some of them several times. */
  IntStream places() {
    return Arrays.stream(operations, 0, entries);
  }

  /** Adds an operation. Operations are added in their order. */
  void add(long key, int operation) {
    if ((keyCount + 1) * 4 > keys.length) {
      grow();
    }
    if (entries == operations.length) {
      operations = Arrays.copyOf(operations, entries * 2);
      next = Arrays.copyOf(next, entries * 2);
    }
    int place = place(keys, heads, key);
    keyCount += heads[place] == 0 ? 1 : 0;
    keys[place] = key;
    operations[entries] = operation;
    next[entries] = heads[place];
    heads[place] = ++entries;
  }

  private void grow() {
    long[] keysBefore = keys;
    int[] headsBefore = heads;
    keys = new long[keysBefore.length * 2];
    heads = new int[keys.length];
    for (int i = 0; i < keysBefore.length; i++) {
      if (headsBefore[i] != 0) {
        int place = place(keys, heads, keysBefore[i]);
        keys[place] = keysBefore[i];
        heads[place] = headsBefore[i];
      }
    }
  }

  private static int place(long[] keys, int[] heads, long key) {
    int mask = keys.length - 1;
    int place = (int) (key * SPREAD >>> Integer.SIZE) & mask;
    while (heads[place] != 0 && keys[place] != key) {
      place = place + 1 & mask;
    }
    return place;
  }

  /** Makes the filter, which tells most numbers without operations in one look. */
  void finish() {
    int bits = Math.max(Long.SIZE * 8, Integer.highestOneBit(keyCount * BITS_PER_KEY) * 2);
    filter = new long[bits / Long.SIZE];
    filterShift = Long.SIZE - Integer.numberOfTrailingZeros(bits);
    for (int i = 0; i < keys.length; i++) {
      if (heads[i] != 0) {
        long bit = keys[i] * SPREAD >>> filterShift;
        filter[(int) (bit / Long.SIZE)] |= 1L << bit;
      }
    }
  }

  /** Puts the bits of those numbers that may have operations. */
  void sift(long[] numbers, long[] bits) {
    for (int word = 0; word < bits.length; word++) {
      long found = 0;
      for (int i = 0; i < Long.SIZE; i++) {
        long bit = numbers[word * Long.SIZE + i] * SPREAD >>> filterShift;
        found |= (filter[(int) (bit >>> 6)] >>> bit & 1) << i;
      }
      bits[word] = found;
    }
  }

  /** Returns the first entry of a number; 0 if there is none. */
  int first(long number) {
    return heads[place(keys, heads, number)];
  }

  int operation(int entry) {
    return operations[entry - 1];
  }

  /** Returns the next entry of the same number; 0 after the last. */
  int after(int entry) {
    return next[entry - 1];
  }
}
