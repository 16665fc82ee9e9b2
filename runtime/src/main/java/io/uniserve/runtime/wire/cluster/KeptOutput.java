package io.uniserve.runtime.wire.cluster;

import io.uniserve.runtime.wire.Position;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one run of a plan keeps in the durable store for a table that is to be made of it (DPA
 * §3.3). It stands there as if it were a table of another cluster, so that the new table is made of
 * it as one that is restored.
 *
 * @param cluster the cluster's identity
 * @param expiresMillis in milliseconds since 1970: no table is made of it later, and what no table
 *     is made of then goes
 * @param run a name that no other has
 */
public record KeptOutput(String cluster, long expiresMillis, String run) {
  /** By how much any two clocks of the cluster may differ: an output is kept for longer by it. */
  public static final Duration CLOCK_DIFFERENCE_MAX = Duration.ofHours(1);

  /** The number of the only table of such a cluster. */
  public static final long TABLE = 0;

  private static final String BELOW = "/kept/";
  private static final Pattern PLACE = Pattern.compile("([^/]+)" + BELOW + "(\\d{1,18})-([^/]+)");

  /** As whose the durable store has it. */
  public String place() {
    return all(cluster) + name();
  }

  /** The last part of its place. */
  public String name() {
    return expiresMillis + "-" + run;
  }

  /** The beginning of the places of all that one cluster keeps. */
  public static String all(String cluster) {
    return cluster + BELOW;
  }

  /** What a place names; empty if it is that of a cluster. */
  public static Optional<KeptOutput> at(String place) {
    Matcher matcher = PLACE.matcher(place);
    return matcher.matches()
        ? Optional.of(
            new KeptOutput(matcher.group(1), Long.parseLong(matcher.group(2)), matcher.group(3)))
        : Optional.empty();
  }

  /** Whether no table is made of it any more. */
  public boolean expired(long nowMillis) {
    return nowMillis > expiresMillis;
  }

  /**
   * Where the data of an actor is within its history there.
   *
   * @param attempt which try at writing it succeeded, from 0
   */
  public static Position positionOf(int attempt) {
    return new Position(attempt + 1L, 1);
  }
}
