package io.uniserve.bench.sharedscan;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A loop that a programmer would write for one query: over columns of numbers in memory outside the
 * heap, record by record, with one comparison for each column.
 */
final class BareLoop {
  private static final int TIMES = 15;
  private static final long ALIGNMENT = 64;

  private BareLoop() {}

  /**
   * Returns the shortest time of one thread to count the records whose numbers are above zero in
   * every column; all are.
   *
   * @param records the number of records
   * @param columns the number of columns, of four bytes each
   */
  static long nanosOf(long records, int columns) {
    try (Arena arena = Arena.ofConfined()) {
      List<MemorySegment> data =
          IntStream.range(0, columns)
              .mapToObj(column -> arena.allocate(records * Integer.BYTES, ALIGNMENT).fill((byte) 1))
              .toList();
      long shortest = Long.MAX_VALUE;
      for (int i = 0; i < TIMES; i++) {
        long began = System.nanoTime();
        if (count(data, records) != records) {
          throw new IllegalStateException("a bare loop has counted wrongly");
        }
        shortest = Math.min(shortest, System.nanoTime() - began);
      }
      return shortest;
    }
  }

  private static long count(List<MemorySegment> columns, long records) {
    MemorySegment[] data = columns.toArray(MemorySegment[]::new);
    long count = 0;
    for (long record = 0; record < records; record++) {
      boolean passes = true;
      for (int column = 0; passes && column < data.length; column++) {
        passes = data[column].getAtIndex(ValueLayout.JAVA_INT, record) > 0;
      }
      count += passes ? 1 : 0;
    }
    return count;
  }
}
