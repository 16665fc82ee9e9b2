package io.uniserve.runtime.server.replication;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import java.time.Duration;

/** A limit on a transfer, in bytes a second. For one thread. */
public final class Pace {
  private final Clock clock;
  private final long bytesPerSecond;
  private final long beganAtNanos;
  private long bytes;

  public Pace(Clock clock, long bytesPerSecond) {
    this.clock = clock;
    this.bytesPerSecond = bytesPerSecond;
    this.beganAtNanos = clock.nanos();
  }

  /**
   * Waits until all bytes so far, these included, keep within the limit.
   *
   * @throws UniserveException with {@link ErrorCode#CANCELLED} if interrupted
   */
  public void moved(int more) {
    bytes += more;
    double dueNanos = bytes * 1e9 / bytesPerSecond;
    long earlyNanos = (long) dueNanos - (clock.nanos() - beganAtNanos);
    if (earlyNanos > 0) {
      try {
        clock.sleep(Duration.ofNanos(earlyNanos));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UniserveException(ErrorCode.CANCELLED, "a transfer was interrupted", e);
      }
    }
  }
}
