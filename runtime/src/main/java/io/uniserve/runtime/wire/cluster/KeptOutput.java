package io.uniserve.runtime.wire.cluster;

import io.uniserve.runtime.wire.entry.Position;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The stored output of one run of a plan, of which a table is to be made (DPA §3.3). In the durable
 * store it looks like a table of another cluster, so that the new table is made from it as in a
 * restore.
 *
 * @param cluster the cluster's identity
 * @param expiresMillis the time at which it expires, in milliseconds since 1970; no table is made
 *     of it later, and if none needs it then, it is deleted
 * @param run a name that no other has
 */
public record KeptOutput(String cluster, long expiresMillis, String run) {
  /**
   * The largest difference between any two clocks of the cluster; an output is kept for longer by
   * it.
   */
  public static final Duration CLOCK_DIFFERENCE_MAX = Duration.ofHours(1);

  /** The number of the only table of such a cluster. */
  public static final long TABLE = 0;

  private static final String BELOW = "/kept/";
  private static final Pattern PLACE = Pattern.compile("([^/]+)" + BELOW + "(\\d{1,18})-([^/]+)");

  /** Returns the name of the cluster under which the durable store has it. */
  public String place() {
    return all(cluster) + name();
  }

  /** Returns the last part of its place. */
  public String name() {
    return expiresMillis + "-" + run;
  }

  /** Returns the beginning of the places of all that one cluster keeps. */
  public static String all(String cluster) {
    return cluster + BELOW;
  }

  /** Returns the output that a place names; empty if it is the place of a cluster. */
  public static Optional<KeptOutput> at(String place) {
    Matcher matcher = PLACE.matcher(place);
    return matcher.matches()
        ? Optional.of(
            new KeptOutput(matcher.group(1), Long.parseLong(matcher.group(2)), matcher.group(3)))
        : Optional.empty();
  }

  /** Returns whether no table is made of it any more. */
  public boolean expired(long nowMillis) {
    return nowMillis > expiresMillis;
  }

  /**
   * Returns the position of an actor's data within its history there.
   *
   * @param attempt the number of the attempt that succeeded in writing it, from 0
   */
  public static Position positionOf(int attempt) {
    return new Position(attempt + 1L, 1);
  }
}
