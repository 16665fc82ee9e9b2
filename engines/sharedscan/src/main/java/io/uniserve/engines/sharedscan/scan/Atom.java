package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;

/** A test of one column, as the scan evaluates it. */
public abstract sealed class Atom permits NumberAtom, TextAtom, MissingAtom {
  private static final long[] NO_KEYS = {};

  private final int column;
  private int uses;
  private int keptOf;
  private long[] kept;

  Atom(int column) {
    this.column = column;
  }

  final int column() {
    return column;
  }

  /** Sets the bits of the slots that pass, whether they hold records or not; clears the others. */
  abstract void test(Chunk chunk, long[] bits);

  /** Returns whether one record passes. */
  abstract boolean passes(Chunk chunk, int slot);

  /**
   * Returns the numbers of which a record that passes has one; none if there are too many. A record
   * with such a number need not pass.
   */
  long[] keys() {
    return NO_KEYS;
  }

  /** Returns whether the numbers of records that pass are in an interval, from low to high. */
  boolean isInterval() {
    return false;
  }

  /** Returns the least number of a record that passes. */
  long low() {
    return Long.MIN_VALUE;
  }

  /** Returns the greatest number of a record that passes. */
  long high() {
    return Long.MAX_VALUE;
  }

  /** Notes that an operation in bulk has this test. */
  final void use() {
    uses++;
  }

  /**
   * Returns the bits of the slots that pass. If several operations have this test, they are found
   * once for a chunk.
   *
   * @param step a number of the chunk, above zero
   * @param scratch receives the bits if nobody else needs them
   */
  final long[] bits(Chunk chunk, int step, long[] scratch) {
    if (uses < 2) {
      test(chunk, scratch);
      return scratch;
    }
    if (keptOf != step) {
      kept = kept == null ? new long[Chunk.WORDS] : kept;
      test(chunk, kept);
      keptOf = step;
    }
    return kept;
  }

  /** Clears the bits of slots whose value is missing. */
  final void dropMissing(Chunk chunk, long[] bits) {
    if (chunk.isNullable(column)) {
      for (int word = 0; word < Chunk.WORDS; word++) {
        bits[word] &= ~chunk.nullWord(column, word);
      }
    }
  }
}
