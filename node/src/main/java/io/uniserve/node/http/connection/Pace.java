package io.uniserve.node.http.connection;

import io.uniserve.surfaces.SlowBodyException;
import java.util.concurrent.TimeUnit;

/**
 * The pace at which one body arrives. Only the time that is spent waiting for it counts, so that a
 * busy process blames nobody. Each stretch of waiting counts by itself, so that a sender that was
 * fast at first may not be slow later. Used by one thread.
 */
public final class Pace {
  /** The length of a stretch. */
  static final int SECONDS = 10;

  private final int bytesPerSecondMin;
  private long waitedNanos;
  private long bytes;

  /**
   * @param bytesPerSecondMin the rate that each stretch has to bring
   */
  public Pace(int bytesPerSecondMin) {
    this.bytesPerSecondMin = bytesPerSecondMin;
  }

  /**
   * Counts bytes that have arrived.
   *
   * @param waited the nanoseconds for which they were waited for
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
