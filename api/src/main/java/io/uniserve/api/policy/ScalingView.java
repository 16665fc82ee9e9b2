package io.uniserve.api.policy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The view of a cluster that a scaling policy decides by.
 *
 * @param now the time of the decision
 * @param servers the present size: the number of servers that the cluster has or is about to have
 * @param serversMin the least size that is allowed
 * @param serversMax the greatest size that is allowed
 * @param window samples of load, the oldest first; none if the deciding control node has seen none
 *     yet
 * @param lastChange the time at which the present size was decided; empty if the size was never
 *     changed
 */
public record ScalingView(
    Instant now,
    int servers,
    int serversMin,
    int serversMax,
    List<LoadSample> window,
    Optional<Instant> lastChange) {

  /** Limits a size to the bounds. */
  public int bounded(int wanted) {
    return Math.max(serversMin, Math.min(serversMax, wanted));
  }

  /** Returns the latest sample. */
  public Optional<LoadSample> latest() {
    return window.isEmpty() ? Optional.empty() : Optional.of(window.getLast());
  }
}
