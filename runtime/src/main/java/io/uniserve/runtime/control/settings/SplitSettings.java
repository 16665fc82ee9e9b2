package io.uniserve.runtime.control.settings;

import io.uniserve.api.error.UniserveException;

/**
 * The settings of splits that nobody asked for. They happen only while policies decide on an
 * interval, one actor in each.
 *
 * @param bytesMax the most that one copy of an actor may occupy, in memory and on disk together
 * @param loadMax the most worker threads that an actor's operators may keep busy, on all its copies
 *     together
 */
public record SplitSettings(long bytesMax, double loadMax) {
  /** The default: an actor above 16 GiB is split, however busy it is. */
  public static final SplitSettings DEFAULT = new SplitSettings(16L << 30, Double.MAX_VALUE);

  /** Checks both values. */
  public SplitSettings {
    if (bytesMax < 1 || !(loadMax > 0)) {
      throw UniserveException.invalid(
          "actors of more than "
              + bytesMax
              + " bytes or a load of "
              + loadMax
              + " cannot be split");
    }
  }
}
