package io.uniserve.runtime.control;

import io.uniserve.api.UniserveException;

/**
 * When an actor is split without being asked for. Only while policies decide on an interval, one
 * actor in each.
 *
 * @param bytesMax what one copy of an actor may occupy, in memory and on disk together
 * @param loadMax what an actor's operators may keep busy on all its copies together, in worker
 *     threads
 */
public record SplitSettings(long bytesMax, double loadMax) {
  /** What is larger than 16 GiB is split, however busy it is. */
  public static final SplitSettings DEFAULT = new SplitSettings(16L << 30, Double.MAX_VALUE);

  /** Checks both. */
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
