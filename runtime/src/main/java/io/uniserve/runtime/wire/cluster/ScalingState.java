package io.uniserve.runtime.wire.cluster;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The decided size of the cluster.
 *
 * @param settings absent until somebody gives them; until then nobody adds or removes servers
 * @param fleet the wanted ones of the servers that the cluster starts and ends itself
 * @param changedMillis the time at which the fleet was decided, in milliseconds since 1970; 0 if it
 *     never was
 * @param why the reason: what asked for it
 */
public record ScalingState(
    Optional<ScalingSettings> settings, List<String> fleet, long changedMillis, String why) {
  /** The state of a cluster that keeps its size. */
  public static final ScalingState NONE = new ScalingState(Optional.empty(), List.of(), 0, "");

  /** Copies the list. */
  public ScalingState {
    fleet = List.copyOf(fleet);
  }

  /** Returns when the fleet was decided; empty if it never was. */
  public Optional<Instant> changed() {
    return changedMillis == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(changedMillis));
  }

  ScalingState with(ScalingSettings given) {
    return new ScalingState(Optional.of(given), fleet, changedMillis, why);
  }
}
