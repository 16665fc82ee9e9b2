package io.uniserve.bench.measure;

import java.util.Arrays;
import java.util.List;

/**
 * Latencies of single calls in nanoseconds. Each is kept, so percentiles are exact. The class must
 * be used by one thread at a time.
 */
public final class Latencies {

  private long[] nanos = new long[1_024];
  private int size;

  public void add(long latencyNanos) {
    if (size == nanos.length) {
      nanos = Arrays.copyOf(nanos, size * 2);
    }
    nanos[size++] = latencyNanos;
  }

  public int count() {
    return size;
  }

  /** Returns the latencies of several threads or windows together, in ascending order. */
  public static long[] sorted(List<Latencies> parts) {
    long[] all =
        parts.stream().flatMapToLong(part -> Arrays.stream(part.nanos, 0, part.size)).toArray();
    Arrays.sort(all);
    return all;
  }

  public long[] toArray() {
    return Arrays.copyOf(nanos, size);
  }

  public static Latencies of(long... values) {
    Latencies latencies = new Latencies();
    latencies.nanos = values.length == 0 ? new long[1] : values.clone();
    latencies.size = values.length;
    return latencies;
  }
}
