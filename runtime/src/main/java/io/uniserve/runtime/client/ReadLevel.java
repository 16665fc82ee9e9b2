package io.uniserve.runtime.client;

import io.uniserve.api.error.Excerpt;
import io.uniserve.api.error.UniserveException;
import java.util.Arrays;
import java.util.Locale;

/**
 * The consistency of one read of an ordered table (RB §6.7). At every level it sees all updates
 * whose outcome was known before it began.
 */
public enum ReadLevel {
  /**
   * Each actor as it is when it is read: one of several actors may show an update that another does
   * not show yet.
   */
  BASIC,

  /** All actors as of one place in the order of updates. */
  SNAPSHOT,

  /**
   * All actors as of one place in the order, which is the read's own: as if the read were an update
   * that changes nothing. In a session it comes after all that the session submitted before it, and
   * before all that the session submits later.
   */
  SEQUENTIAL;

  /** Returns the name by which users know it. */
  public String shown() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the level of a name.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if none
   *     has it
   */
  public static ReadLevel of(String name) {
    return Arrays.stream(values())
        .filter(level -> level.shown().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                UniserveException.invalid(
                    "read=" + Excerpt.of(name) + ": one of basic, snapshot and sequential"));
  }

  /**
   * Requires that a change comes without a level, since it reads nothing that is answered.
   *
   * @throws UniserveException if this is another level than basic
   */
  public void requireOfChange() {
    if (this != BASIC) {
      throw UniserveException.invalid(
          "read=" + shown() + ": a change has no level of reads; send it without");
    }
  }
}
