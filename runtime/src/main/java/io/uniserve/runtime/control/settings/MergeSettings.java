package io.uniserve.runtime.control.settings;

import io.uniserve.api.error.UniserveException;
import java.time.Duration;

/**
 * The settings of merges that nobody asked for. They happen only while policies decide on an
 * interval, one pair in each, and never leave fewer actors than the table began with.
 *
 * @param share the share of the bounds of {@link SplitSettings} that the two together must stay
 *     below; it must be far below 1, or a merged actor is split again; 0 for never
 * @param after the time for which the two must have been below this share
 */
public record MergeSettings(double share, Duration after) {
  /**
   * The default: two actors are merged after an hour in which both together are below a quarter of
   * the bounds for a split.
   */
  public static final MergeSettings DEFAULT = new MergeSettings(0.25, Duration.ofHours(1));

  /** The largest share. */
  public static final double SHARE_MAX = 0.5;

  /** Checks both values. */
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
