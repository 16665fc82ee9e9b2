package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import java.util.Arrays;

/** A test of one column, as the scan evaluates it. */
public abstract sealed class Atom permits NumberAtom, TextAtom, MissingAtom {
  private static final long[] NO_KEYS = {};

  /** With fewer bits it is faster to look at the numbers of each than to evaluate the whole. */
  private static final int SPARSE = 16;

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

  /**
   * Clears the bits of the slots that do not pass. Bits of slots without records say nothing
   * afterwards.
   */
  abstract void narrow(Chunk chunk, long[] bits);

  /** Sets the bits of the slots that pass, whether they hold records or not; clears the others. */
  final void test(Chunk chunk, long[] bits) {
    Arrays.fill(bits, -1);
    narrow(chunk, bits);
  }

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
   * Clears the bits of the slots that do not pass. If several operations have this test, it is
   * evaluated once for a chunk, unless there are few bits.
   *
   * @param step a number of the chunk, above zero
   * @param left the number of bits that are set
   */
  final void narrow(Chunk chunk, int step, int left, long[] bits) {
    boolean known = keptOf == step;
    if (!known && (uses < 2 || left < SPARSE)) {
      narrow(chunk, bits);
      return;
    }
    if (!known) {
      kept = kept == null ? new long[Chunk.WORDS] : kept;
      test(chunk, kept);
      keptOf = step;
    }
    for (int word = 0; word < Chunk.WORDS; word++) {
      bits[word] &= kept[word];
    }
  }

  /** Returns how many passes over the numbers of a chunk the test takes. */
  int passes() {
    return 1;
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
