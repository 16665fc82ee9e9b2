package io.uniserve.runtime.control.settings;

import java.time.Duration;

/**
 * The limits of concurrent moves, and the patience with servers that restart.
 *
 * @param movesMax the most moves that load at a time in the whole cluster
 * @param movesPerServerMax the most moves that load at a time from, and to, any one server
 * @param restartPatience the time for which copies on a server that left by its own will are waited
 *     for before others replace them
 */
public record RepairSettings(int movesMax, int movesPerServerMax, Duration restartPatience) {
  /** The default: four moves, two for each server; a restart may take a minute. */
  public static final RepairSettings DEFAULT = new RepairSettings(4, 2, Duration.ofSeconds(60));
}
