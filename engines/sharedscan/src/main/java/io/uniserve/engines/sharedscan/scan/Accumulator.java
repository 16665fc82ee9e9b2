package io.uniserve.engines.sharedscan.scan;

import java.math.BigInteger;
import java.util.Arrays;

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

  /** Takes a value in stored form; one that is missing counts for nothing. */
  void take(Object stored) {
    if (stored == null) {
      return;
    }
    count++;
    switch (kind) {
      case COUNT -> {
        // it is counted
      }
      case SUM -> add((long) stored);
      case MIN -> extreme = extreme == null || compare(stored, extreme) < 0 ? stored : extreme;
      case MAX -> extreme = extreme == null || compare(stored, extreme) > 0 ? stored : extreme;
    }
  }

  private void add(long number) {
    long next = sum + number;
    if (((sum ^ next) & (number ^ next)) < 0) {
      sumBefore = sumBefore.add(BigInteger.valueOf(sum));
      next = number;
    }
    sum = next;
  }

  private static int compare(Object one, Object other) {
    return one instanceof byte[] text
        ? Arrays.compareUnsigned(text, (byte[]) other)
        : Long.compare((long) one, (long) other);
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
