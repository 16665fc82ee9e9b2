package io.uniserve.engines.sharedscan.scan;

import io.uniserve.engines.sharedscan.data.Chunk;
import java.math.BigInteger;

/** An aggregate of one group, while its records come. */
final class Accumulator {
  private final Aggregate.Kind kind;
  private long count;
  private long sum;
  private BigInteger sumBefore = BigInteger.ZERO;
  private Object extreme;

  Accumulator(Aggregate.Kind kind) {
    this.kind = kind;
  }

  void count(long more) {
    count += more;
  }

  /** Takes a value of a record; one that is missing counts for nothing. */
  void take(Chunk chunk, int column, int slot) {
    if (chunk.isNull(column, slot)) {
      return;
    }
    count++;
    switch (kind) {
      case COUNT -> {
        // it is counted
      }
      case SUM -> add(chunk.number(column, slot));
      case MIN -> extreme = isBelow(chunk, column, slot) ? chunk.stored(column, slot) : extreme;
      case MAX -> extreme = isAbove(chunk, column, slot) ? chunk.stored(column, slot) : extreme;
    }
  }

  private boolean isBelow(Chunk chunk, int column, int slot) {
    return extreme == null || compare(chunk, column, slot) < 0;
  }

  private boolean isAbove(Chunk chunk, int column, int slot) {
    return extreme == null || compare(chunk, column, slot) > 0;
  }

  /** Compares a value with the extreme of those before. */
  private int compare(Chunk chunk, int column, int slot) {
    return extreme instanceof byte[] text
        ? chunk.compareText(column, slot, text)
        : Long.compare(chunk.number(column, slot), (long) extreme);
  }

  private void add(long number) {
    long next = sum + number;
    if (((sum ^ next) & (number ^ next)) < 0) {
      sumBefore = sumBefore.add(BigInteger.valueOf(sum));
      next = number;
    }
    sum = next;
  }

  /**
   * Returns the result: a {@link Long} for counts, a {@link BigInteger} for sums, a stored value
   * for extremes; null for those of no value.
   */
  Object result() {
    return switch (kind) {
      case COUNT -> count;
      case SUM -> count == 0 ? null : sumBefore.add(BigInteger.valueOf(sum));
      case MIN, MAX -> extreme;
    };
  }
}
