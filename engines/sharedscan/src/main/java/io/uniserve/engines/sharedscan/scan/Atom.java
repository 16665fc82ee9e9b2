package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import java.util.Arrays;

/** A test of one column, as the scan evaluates it. */
public abstract sealed class Atom permits NumberAtom, TextAtom, MissingAtom {
  private static final long[] NO_KEYS = {};

  private final int column;
  private int uses;
  private int bytes;
  private int few;
  private Equalities together;
  private double togetherNanos;
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

  /** Notes that no operation has this test. */
  final void forgetUses() {
    uses = 0;
    together = null;
  }

  /**
   * Notes that an operation has this test.
   *
   * @param width the size of the column's numbers in bytes
   */
  final void use(int width) {
    uses++;
    bytes = passes() * width;
    few = few(bytes);
  }

  private int few(int size) {
    return isShared() ? (int) (nanos() / Costs.LOOK) : Costs.few(size);
  }

  /**
   * Notes that the test is evaluated together with others.
   *
   * @param nanos the nanoseconds of all of them together
   */
  final void together(Equalities others, double nanos) {
    together = others;
    togetherNanos = nanos / others.size();
    few = few(bytes);
  }

  /** Returns how many operations have this test. */
  final int uses() {
    return uses;
  }

  private boolean isShared() {
    return uses > 1 || together != null;
  }

  /** Returns what the test of all records takes if it is evaluated alone. */
  final double nanosAlone() {
    return Costs.test(bytes);
  }

  /** Returns what the test of all records takes each operation that has it. */
  final double nanos() {
    if (together != null) {
      return Costs.KNOWN + togetherNanos / uses;
    }
    return isShared() ? Costs.KNOWN + Costs.test(bytes) / uses : Costs.test(bytes);
  }

  /** Returns the same if so many records are left by other tests. */
  final double nanos(int left) {
    return isShared() ? nanos() : Costs.test(Math.min(left, Chunk.WORDS), bytes);
  }

  /** Returns the number of records up to which it is faster to look at each of them. */
  final int few() {
    return few;
  }

  /**
   * Returns the same for a chunk of which it may be known already which records pass.
   *
   * @param step a number of the chunk, above zero
   */
  final int fewOf(int step) {
    return keptOf == step ? (int) (Costs.KNOWN / Costs.LOOK) : few;
  }

  /**
   * Clears the bits of the slots that do not pass. If several operations have this test, it is
   * evaluated once for a chunk.
   *
   * @param step a number of the chunk, above zero
   */
  final void narrow(Chunk chunk, int step, long[] bits) {
    if (!isShared()) {
      narrow(chunk, bits);
      return;
    }
    if (keptOf != step) {
      if (together == null) {
        test(chunk, keep(step));
      } else {
        together.test(chunk, step);
      }
    }
    for (int word = 0; word < Chunk.WORDS; word++) {
      bits[word] &= kept[word];
    }
  }

  /** Returns the bits of the slots of a chunk that pass, to be set. */
  final long[] keep(int step) {
    kept = kept == null ? new long[Chunk.WORDS] : kept;
    keptOf = step;
    return kept;
  }

  /** Returns whether records pass that have one number, {@link #low}. */
  boolean isEquality() {
    return false;
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
