package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import java.util.Arrays;
import java.util.List;

/**
 * Tests whether one column has one of many numbers, each of its own. They are evaluated together:
 * the number of each record is looked up once, instead of compared with all of them.
 */
final class Equalities {
  private static final long SPREAD = 0x9e3779b97f4a7c15L;
  private static final int ROOM = 4;

  private final int column;
  private final Atom[] tests;
  private final long[] keys;

  /** The place of the test of each key, from one on; 0 where there is none. */
  private final int[] places;

  private final int shift;
  private final long[] numbers;
  private final long[][] passing;

  /**
   * @param tests tests of one column, of different numbers
   * @param numbers room for the numbers of a chunk, which others may use between calls
   */
  Equalities(List<Atom> tests, long[] numbers) {
    this.column = tests.getFirst().column();
    this.tests = tests.toArray(Atom[]::new);
    this.numbers = numbers;
    this.passing = new long[this.tests.length][];
    int size = Integer.highestOneBit(this.tests.length * ROOM) * 2;
    this.keys = new long[size];
    this.places = new int[size];
    this.shift = Long.SIZE - Integer.numberOfTrailingZeros(size);
    for (int i = 0; i < this.tests.length; i++) {
      int at = at(this.tests[i].low());
      keys[at] = this.tests[i].low();
      places[at] = i + 1;
    }
  }

  private int at(long number) {
    int at = (int) (number * SPREAD >>> shift);
    while (places[at] != 0 && keys[at] != number) {
      at = at + 1 & places.length - 1;
    }
    return at;
  }

  int size() {
    return tests.length;
  }

  /** Has each of its tests keep which records of a chunk pass. */
  void test(Chunk chunk, int step) {
    for (int i = 0; i < tests.length; i++) {
      passing[i] = tests[i].keep(step);
      Arrays.fill(passing[i], 0);
    }
    chunk.numbers(column, numbers);
    for (int slot = 0; slot < Chunk.SLOTS; slot++) {
      int place = places[at(numbers[slot])];
      if (place != 0) {
        passing[place - 1][slot / Long.SIZE] |= 1L << slot;
      }
    }
    for (int i = 0; i < tests.length; i++) {
      tests[i].dropMissing(chunk, passing[i]);
    }
  }
}
