package io.uniserve.runtime.client.context;

import io.uniserve.runtime.wire.LoadSettings;
import java.time.Duration;

/**
 * The settings of a client.
 *
 * @param fanOutMax the most server calls that one query has under way at a time
 * @param attemptsMax tries at one actor before its failure is the query's, not counting those that
 *     reached no copy that could answer
 * @param retryDelay the pause before an actor is tried again on the same copy; doubles with every
 *     further try
 * @param patience the longest time that a request waits for an actor that has no copy to answer it
 * @param valuesMax the most values that one query may hold before they are combined
 * @param hedging the settings of second attempts at late actors
 * @param load the settings of counting and reporting the actors that queries read
 */
public record ClientSettings(
    int fanOutMax,
    int attemptsMax,
    Duration retryDelay,
    Duration patience,
    int valuesMax,
    HedgeSettings hedging,
    LoadSettings load) {
  /** The default, for interactive use. */
  public static final ClientSettings DEFAULT =
      new ClientSettings(
          64,
          20,
          Duration.ofMillis(10),
          Duration.ofSeconds(5),
          10_000_000,
          HedgeSettings.DEFAULT,
          LoadSettings.DEFAULT);

  /** Returns the same settings with another count of the actors that queries read. */
  public ClientSettings withLoad(LoadSettings other) {
    return new ClientSettings(
        fanOutMax, attemptsMax, retryDelay, patience, valuesMax, hedging, other);
  }
}
