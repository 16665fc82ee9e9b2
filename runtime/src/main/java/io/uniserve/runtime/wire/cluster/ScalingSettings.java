package io.uniserve.runtime.wire.cluster;

import io.uniserve.api.error.UniserveException;
import java.time.Duration;

/**
 * The settings of scaling with load (DPA §4.5).
 *
 * @param serversMin the fewest servers, from 1
 * @param serversMax the most servers
 * @param policy the scaling policy as text
 * @param interval the time between two decisions
 * @param paused true if nothing new is decided; earlier decisions are still carried out
 */
public record ScalingSettings(
    int serversMin, int serversMax, String policy, Duration interval, boolean paused) {
  /** The largest number of servers of one cluster. */
  public static final int SERVERS_MAX = 4_096;

  /** The default interval. */
  public static final Duration INTERVAL = Duration.ofSeconds(5);

  private static final Duration INTERVAL_MIN = Duration.ofMillis(100);
  private static final Duration INTERVAL_MAX = Duration.ofHours(1);

  /** Checks the bounds. */
  public ScalingSettings {
    if (serversMin < 1 || serversMax < serversMin || serversMax > SERVERS_MAX) {
      throw UniserveException.invalid(
          "a cluster has 1 to "
              + SERVERS_MAX
              + " servers, the least of them no more than the most; not "
              + serversMin
              + " to "
              + serversMax);
    }
    if (interval.compareTo(INTERVAL_MIN) < 0 || interval.compareTo(INTERVAL_MAX) > 0) {
      throw UniserveException.invalid(
          "a scaling policy is asked every 100 ms to 1 h, not every " + interval);
    }
  }

  /** Returns the same settings, paused or not. */
  public ScalingSettings withPaused(boolean now) {
    return new ScalingSettings(serversMin, serversMax, policy, interval, now);
  }
}
