package io.uniserve.api.policy;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a scaling policy sees.
 *
 * @param now when it is asked
 * @param servers the present size: how many servers the cluster has or is about to have
 * @param serversMin the least that it may have
 * @param serversMax the most that it may have
 * @param window samples of load, the oldest first; those that the asked router has seen, so perhaps
 *     none
 * @param lastChange when the present size was decided, if the cluster's size was ever changed
 */
public record ScalingView(
    Instant now,
    int servers,
    int serversMin,
    int serversMax,
    List<LoadSample> window,
    Optional<Instant> lastChange) {

  /** A size brought within the bounds. */
  public int bounded(int wanted) {
    return Math.max(serversMin, Math.min(serversMax, wanted));
  }

  /** The latest sample. */
  public Optional<LoadSample> latest() {
    return window.isEmpty() ? Optional.empty() : Optional.of(window.getLast());
  }
}
