package io.uniserve.runtime.client.context;

import java.time.Duration;

/**
 * When a second copy is asked although the first has not failed.
 *
 * @param percentile of the latencies seen lately, after which an answer counts as late; 0 to 1
 * @param delayMin not before this, however fast answers usually are
 * @param shareMax second attempts for each first one, at most; 0 to have none
 */
public record HedgeSettings(double percentile, Duration delayMin, double shareMax) {
  /** The slowest answers in twenty, and no more than that much extra work. */
  public static final HedgeSettings DEFAULT = new HedgeSettings(0.95, Duration.ofMillis(10), 0.05);
}
