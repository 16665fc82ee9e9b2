package io.uniserve.engines.sharedscan.scan;

import java.util.Arrays;
import java.util.List;

/**
 * The operations of a batch by the intervals in which the number of one column has to be: a sorted
 * array of the places where intervals begin or end, which is searched as a balanced tree.
 */
final class RangeIndex {
  private static final int[] NONE = {};

  /** An operation that tests an interval. */
  record Entry(long low, long high, int operation) {}

  private final int column;
  private final long[] begins;
  private final int[][] operations;

  private RangeIndex(int column, long[] begins, int[][] operations) {
    this.column = column;
    this.begins = begins;
    this.operations = operations;
  }

  /**
   * Makes an index.
   *
   * @return null if the intervals overlap so much that it would not help
   */
  static RangeIndex of(int column, List<Entry> entries, int overlapMax) {
    long[] begins =
        entries.stream()
            .flatMapToLong(
                entry ->
                    entry.high == Long.MAX_VALUE
                        ? java.util.stream.LongStream.of(entry.low)
                        : java.util.stream.LongStream.of(entry.low, entry.high + 1))
            .sorted()
            .distinct()
            .toArray();
    int[] counts = new int[begins.length];
    long sum = 0;
    for (Entry entry : entries) {
      for (int i = at(begins, entry.low); i < begins.length && begins[i] <= entry.high; i++) {
        counts[i]++;
        if (++sum > (long) overlapMax * begins.length) {
          return null;
        }
      }
    }
    int[][] operations = new int[begins.length][];
    Arrays.setAll(operations, i -> counts[i] == 0 ? NONE : new int[counts[i]]);
    Arrays.fill(counts, 0);
    for (Entry entry : entries) {
      for (int i = at(begins, entry.low); i < begins.length && begins[i] <= entry.high; i++) {
        operations[i][counts[i]++] = entry.operation;
      }
    }
    return new RangeIndex(column, begins, operations);
  }

  private static int at(long[] begins, long number) {
    int place = Arrays.binarySearch(begins, number);
    return place >= 0 ? place : -place - 2;
  }

  int column() {
    return column;
  }

  /** Returns the operations whose interval has a number. */
  int[] of(long number) {
    int place = at(begins, number);
    return place < 0 ? NONE : operations[place];
  }
}
