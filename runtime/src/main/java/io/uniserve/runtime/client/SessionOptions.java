package io.uniserve.runtime.client;

import io.uniserve.api.error.UniserveException;
import java.time.Duration;

/**
 * The options of an {@link OrderedSession}.
 *
 * @param updatesMax the number of updates that may be without an outcome
 * @param bytesMax the size of these updates, in bytes; one update alone may be larger
 * @param waiting true if {@link OrderedSession#submit} waits for room; false if it fails with
 *     {@link io.uniserve.api.error.ErrorCode#EXHAUSTED}
 * @param patience the time without any news of updates under way after which the session fails
 * @param shortWay true if updates of one actor go straight to it, past the order of the table
 */
public record SessionOptions(
    int updatesMax, long bytesMax, boolean waiting, Duration patience, boolean shortWay) {
  /** The default: 4,096 updates, 8 MiB, waiting, ten minutes. */
  public static final SessionOptions DEFAULT =
      new SessionOptions(4_096, 8L << 20, true, Duration.ofMinutes(10));

  /** The greatest window of a session, in updates. */
  public static final int UPDATES_LIMIT = 50_000;

  /** Creates the options of a session whose updates all have places in the order. */
  public SessionOptions(int updatesMax, long bytesMax, boolean waiting, Duration patience) {
    this(updatesMax, bytesMax, waiting, patience, false);
  }

  /** Checks the values. */
  public SessionOptions {
    if (updatesMax < 1 || updatesMax > UPDATES_LIMIT) {
      throw UniserveException.invalid(
          "a session's window of " + updatesMax + " updates, 1 to " + UPDATES_LIMIT);
    }
    if (bytesMax < 1) {
      throw UniserveException.invalid("a session's window of " + bytesMax + " bytes");
    }
    if (!patience.isPositive()) {
      throw UniserveException.invalid("a session's patience of " + patience);
    }
  }

  /** Returns the same options with another window. */
  public SessionOptions withWindow(int updates, long bytes) {
    return new SessionOptions(updates, bytes, waiting, patience, shortWay);
  }

  /** Returns the same options of a session whose {@code submit} fails instead of waiting. */
  public SessionOptions failingWhenFull() {
    return new SessionOptions(updatesMax, bytesMax, false, patience, shortWay);
  }

  /**
   * Returns the same options of a session whose updates of one actor take the short way: straight
   * to the primary of that actor. They grow with the number of actors, and are in the session's
   * order as all others. The session waits for an answer wherever it turns to another actor, or to
   * updates of several.
   */
  public SessionOptions withShortWay() {
    return new SessionOptions(updatesMax, bytesMax, waiting, patience, true);
  }
}
