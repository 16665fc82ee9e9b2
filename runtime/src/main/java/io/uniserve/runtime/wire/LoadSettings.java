package io.uniserve.runtime.wire;

import io.uniserve.api.error.UniserveException;
import java.time.Duration;

/**
 * The settings of measuring and reporting load.
 *
 * @param interval the time between two reports of one process
 * @param window the sliding window of the means of frequencies and costs
 */
public record LoadSettings(Duration interval, Duration window) {
  /** The default: steady enough to move data for, and quick enough for a new hotspot. */
  public static final LoadSettings DEFAULT =
      new LoadSettings(Duration.ofSeconds(1), Duration.ofSeconds(20));

  /** Checks both values. */
  public LoadSettings {
    if (!interval.isPositive() || window.compareTo(interval) < 0) {
      throw UniserveException.invalid(
          "load is told every " + interval + " over a window of " + window);
    }
  }

  /** Returns how many reports a window has. */
  public int reports() {
    return (int) Math.ceilDiv(window.toNanos(), interval.toNanos());
  }
}
