package io.uniserve.runtime.wire;

import io.uniserve.api.UniserveException;
import java.time.Duration;

/**
 * How load is measured and told.
 *
 * @param interval between two reports of one process
 * @param window that frequencies and costs are means over; it slides
 */
public record LoadSettings(Duration interval, Duration window) {
  /** Steady enough to move data for, and quick enough for a new hotspot. */
  public static final LoadSettings DEFAULT =
      new LoadSettings(Duration.ofSeconds(1), Duration.ofSeconds(20));

  /** Checks both. */
  public LoadSettings {
    if (!interval.isPositive() || window.compareTo(interval) < 0) {
      throw UniserveException.invalid(
          "load is told every " + interval + " over a window of " + window);
    }
  }

  /** How many reports a window has. */
  public int reports() {
    return (int) Math.ceilDiv(window.toNanos(), interval.toNanos());
  }
}
