package io.uniserve.runtime.control;

import java.time.Duration;

/**
 * How much of the cluster may be under way from one server to another, and when.
 *
 * @param movesMax moves that load at a time in the whole cluster
 * @param movesPerServerMax moves that load at a time from, and to, any one server
 * @param restartPatience how long copies on a server that left by its own will are waited for
 *     before others take their place
 */
public record RepairSettings(int movesMax, int movesPerServerMax, Duration restartPatience) {
  /** Four moves, two for each server; a restart may take a minute. */
  public static final RepairSettings DEFAULT = new RepairSettings(4, 2, Duration.ofSeconds(60));
}
