package io.uniserve.runtime.client.context;

import java.time.Duration;

/**
 * The settings of second attempts at a copy that has not failed yet.
 *
 * @param percentile the percentile of recent latencies after which an answer counts as late; 0 to 1
 * @param delayMin the least time before a second attempt, however fast answers usually are
 * @param shareMax the most second attempts for each first one; 0 for none
 */
public record HedgeSettings(double percentile, Duration delayMin, double shareMax) {
  /** The default: the slowest answers in twenty, and no more than that much extra work. */
  public static final HedgeSettings DEFAULT = new HedgeSettings(0.95, Duration.ofMillis(10), 0.05);
}
