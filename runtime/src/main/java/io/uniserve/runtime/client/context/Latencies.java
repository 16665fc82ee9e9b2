package io.uniserve.runtime.client.context;

import io.uniserve.kernel.ExpectedWait;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The distribution of recent latencies, within an eighth. It counts them in buckets whose bounds
 * grow by that much, and halves all counts now and then, so that old latencies fade.
 */
public final class Latencies {
  private static final int PER_OCTAVE = 8;
  private static final int BUCKETS = 64 * PER_OCTAVE;
  private static final int LOOK_EVERY = 64;
  private static final int KEPT_MAX = 4096;

  private final double percentile;
  private final AtomicIntegerArray counts = new AtomicIntegerArray(BUCKETS);
  private final AtomicInteger recorded = new AtomicInteger();
  private final ExpectedWait expected = new ExpectedWait();
  private volatile long percentileNanos = Long.MAX_VALUE;

  Latencies(double percentile) {
    this.percentile = percentile;
  }

  public void record(long nanos) {
    counts.incrementAndGet(bucket(Math.max(1, nanos)));
    expected.took(nanos);
    if (recorded.incrementAndGet() % LOOK_EVERY == 0) {
      look();
    }
  }

  /** Returns the percentile; {@link Long#MAX_VALUE} while too little is known. */
  long percentileNanos() {
    return percentileNanos;
  }

  /** Returns the expected time of the next answer. */
  public long expectedNanos() {
    return expected.nanos();
  }

  private void look() {
    long total = 0;
    for (int i = 0; i < BUCKETS; i++) {
      total += counts.get(i);
    }
    long below = 0;
    int bucket = 0;
    while (bucket < BUCKETS - 1 && below + counts.get(bucket) < total * percentile) {
      below += counts.get(bucket++);
    }
    percentileNanos = upperBound(bucket);
    if (total > KEPT_MAX) {
      for (int i = 0; i < BUCKETS; i++) {
        counts.addAndGet(i, -(counts.get(i) / 2));
      }
    }
  }

  private static int bucket(long nanos) {
    int octave = 63 - Long.numberOfLeadingZeros(nanos);
    long within = octave < 3 ? 0 : (nanos >>> (octave - 3)) & (PER_OCTAVE - 1);
    return octave * PER_OCTAVE + (int) within;
  }

  private static long upperBound(int bucket) {
    int octave = bucket / PER_OCTAVE;
    double bound = Math.scalb(1 + (bucket % PER_OCTAVE + 1) / (double) PER_OCTAVE, octave);
    return (long) Math.min(bound, Long.MAX_VALUE / 2.0);
  }
}
