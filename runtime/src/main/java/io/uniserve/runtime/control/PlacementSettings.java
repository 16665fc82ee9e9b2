package io.uniserve.runtime.control;

import io.uniserve.api.UniserveException;
import java.time.Duration;
import java.util.Optional;

/**
 * How load is balanced.
 *
 * @param policy the name of the policy that decides unless another is asked for
 * @param interval between two decisions, counted from when the last one is done; if none, only on
 *     request. At least the window of the load reports, or a decision sees what was before the last
 * @param copiesMax copies that one actor gets for its load, at most; its table may ask for more
 * @param changesMax actors that one decision changes
 * @param loadMin decisions on an interval wait until a server is so busy, in worker threads
 * @param gainMin and so much busier than the mean, as a multiple of it
 * @param coolBelow an actor with k copies keeps them until its load is below this share of what k -
 *     1 servers bear on average
 * @param splits when an actor is split
 * @param merges when two actors are merged
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
  /** By the greedy policy, on request. */
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

  /** Checks all. */
  public PlacementSettings {
    if (interval.isPresent() && !interval.get().isPositive()) {
      throw UniserveException.invalid("placement cannot be decided every " + interval.get());
    }
    if (copiesMax < 1 || changesMax < 1) {
      throw UniserveException.invalid(
          "placement with at most " + copiesMax + " copies and " + changesMax + " changes");
    }
  }

  /** The same with another policy and interval. */
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

  /** The same with other bounds of what is split. */
  public PlacementSettings with(SplitSettings other) {
    return new PlacementSettings(
        policy, interval, copiesMax, changesMax, loadMin, gainMin, coolBelow, other, merges);
  }

  /** The same with other bounds of what is merged. */
  public PlacementSettings with(MergeSettings other) {
    return new PlacementSettings(
        policy, interval, copiesMax, changesMax, loadMin, gainMin, coolBelow, splits, other);
  }
}
