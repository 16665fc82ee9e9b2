package io.uniserve.runtime.control;

import io.uniserve.api.UniserveException;
import java.time.Duration;

/**
 * When two actors are merged without being asked for. Only while policies decide on an interval,
 * one pair in each, and never fewer than the table began with.
 *
 * @param share of the bounds of {@link SplitSettings} that the two together must stay below; far
 *     below 1, or what is merged is split again; 0 for never
 * @param after for how long they must have been below it
 */
public record MergeSettings(double share, Duration after) {
  /** What together is below a quarter of what would be split, for an hour. */
  public static final MergeSettings DEFAULT = new MergeSettings(0.25, Duration.ofHours(1));

  /** The largest share. */
  public static final double SHARE_MAX = 0.5;

  /** Checks both. */
  public MergeSettings {
    if (!(share >= 0 && share <= SHARE_MAX) || after.isNegative()) {
      throw UniserveException.invalid(
          "actors cannot be merged below "
              + share
              + " of what is split, after "
              + after
              + ": a share is from 0 to "
              + SHARE_MAX);
    }
  }
}
