package io.uniserve.node.http.connection;

import io.uniserve.surfaces.SlowBodyException;
import java.util.concurrent.TimeUnit;

/**
 * How fast one body arrives. Only the time counts that is spent waiting for it, so that a busy
 * process blames nobody; and each stretch of waiting counts by itself, so that nobody who was fast
 * at first may be slow later. Used by one thread.
 */
public final class Pace {
  /** How long a stretch is. */
  static final int SECONDS = 10;

  private final int bytesPerSecondMin;
  private long waitedNanos;
  private long bytes;

  /**
   * @param bytesPerSecondMin which each stretch has to bring
   */
  public Pace(int bytesPerSecondMin) {
    this.bytesPerSecondMin = bytesPerSecondMin;
  }

  /**
   * Counts what has arrived.
   *
   * @param waited for how many nanoseconds it was waited for
   * @throws SlowBodyException if a stretch has brought too little
   */
  public void arrived(int count, long waited) {
    bytes += count;
    waitedNanos += waited;
    if (waitedNanos >= TimeUnit.SECONDS.toNanos(SECONDS)) {
      if (bytes < bytesPerSecondMin * (waitedNanos / 1e9)) {
        throw new SlowBodyException(bytesPerSecondMin, SECONDS);
      }
      waitedNanos = 0;
      bytes = 0;
    }
  }
}
