package io.uniserve.runtime.control.settings;

import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of load balancing.
 *
 * @param policy the name of the policy that decides unless another is asked for
 * @param interval the time between two decisions, counted from when the last one is done; empty for
 *     decisions on request only; at least the window of the load reports, since a decision would
 *     otherwise see the load from before the last one
 * @param copiesMax the most copies that one actor gets for its load; its table may ask for more
 * @param changesMax the most actors that one decision changes
 * @param loadMin the load of a server, in worker threads, from which decisions on an interval are
 *     made
 * @param gainMin the multiple of the mean load that such a server must also have
 * @param coolBelow an actor with k copies keeps them until its load is below this share of what k -
 *     1 servers bear on average
 * @param splits the settings of splits
 * @param merges the settings of merges
 */
public record PlacementSettings(
    String policy,
    Optional<Duration> interval,
    int copiesMax,
    int changesMax,
    double loadMin,
    double gainMin,
    double coolBelow,
    SplitSettings splits,
    MergeSettings merges) {
  /** The default: the greedy policy, on request. */
  public static final PlacementSettings DEFAULT =
      new PlacementSettings(
          "greedy",
          Optional.empty(),
          8,
          64,
          0.1,
          1.2,
          0.7,
          SplitSettings.DEFAULT,
          MergeSettings.DEFAULT);

  /** Checks all values. */
  public PlacementSettings {
    if (interval.isPresent() && !interval.get().isPositive()) {
      throw UniserveException.invalid("placement cannot be decided every " + interval.get());
    }
    if (copiesMax < 1 || changesMax < 1) {
      throw UniserveException.invalid(
          "placement with at most " + copiesMax + " copies and " + changesMax + " changes");
    }
  }

  /** Returns the same settings with another policy and interval. */
  public PlacementSettings with(String otherPolicy, Optional<Duration> otherInterval) {
    return new PlacementSettings(
        otherPolicy,
        otherInterval,
        copiesMax,
        changesMax,
        loadMin,
        gainMin,
        coolBelow,
        splits,
        merges);
  }

  /** Returns the same settings with other bounds for splits. */
  public PlacementSettings with(SplitSettings other) {
    return new PlacementSettings(
        policy, interval, copiesMax, changesMax, loadMin, gainMin, coolBelow, other, merges);
  }

  /** Returns the same settings with other bounds for merges. */
  public PlacementSettings with(MergeSettings other) {
    return new PlacementSettings(
        policy, interval, copiesMax, changesMax, loadMin, gainMin, coolBelow, splits, other);
  }
}
