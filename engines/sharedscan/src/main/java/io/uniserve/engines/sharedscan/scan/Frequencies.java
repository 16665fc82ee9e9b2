package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import io.uniserve.engines.sharedscan.data.Segment;
import java.util.Arrays;

/**
 * An estimate for each column of how many records have the value of a random record, from a sample
 * of one chunk, which is taken anew now and then.
 */
final class Frequencies {
  private static final int CYCLES_MAX = 500;

  private double[] shares = {};
  private int cycles;

  /** Notes that a cycle begins. */
  void cycle(Segment segment) {
    if (shares.length == 0 || ++cycles > CYCLES_MAX) {
      shares = new double[segment.schema().size()];
      Arrays.fill(shares, -1);
      cycles = 0;
    }
  }

  /** Returns the share of records that have the value of a random record. */
  double ofEqual(Segment segment, int column) {
    if (shares[column] < 0) {
      shares[column] = sampled(segment.chunk(segment.size() / 2), column);
    }
    return shares[column];
  }

  private static double sampled(Chunk chunk, int column) {
    long[] numbers = new long[Chunk.SLOTS];
    int count = 0;
    for (int slot = 0; slot < Chunk.SLOTS; slot++) {
      if (chunk.isLive(slot) && !chunk.isNull(column, slot)) {
        numbers[count++] = chunk.number(column, slot);
      }
    }
    Arrays.sort(numbers, 0, count);
    double sum = 0;
    for (int from = 0; from < count; ) {
      int to = from;
      while (to < count && numbers[to] == numbers[from]) {
        to++;
      }
      sum += (double) (to - from) * (to - from - 1);
      from = to;
    }
    return sum / Math.max(1.0, (double) count * (count - 1));
  }
}
