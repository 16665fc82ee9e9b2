package io.uniserve.bench.scans;

import io.uniserve.bench.base.BenchException;
import java.util.concurrent.TimeUnit;

/** Sleeps of the benchmark. */
final class Pause {
  private Pause() {}

  static void nanos(long nanos) {
    if (nanos > 0) {
      try {
        TimeUnit.NANOSECONDS.sleep(nanos);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new BenchException("Interrupted while scans were measured", e);
      }
    }
  }
}
