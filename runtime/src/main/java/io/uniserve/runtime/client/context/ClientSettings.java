package io.uniserve.runtime.client.context;

import io.uniserve.runtime.wire.LoadSettings;
import java.time.Duration;

/**
 * How a client works.
 *
 * @param fanOutMax server calls that one query has under way at a time
 * @param attemptsMax tries at one actor before its failure is the query's
 * @param retryDelay before an actor is tried again on the same copy; doubles with every further try
 * @param patience how long a request waits for an actor that has no copy to answer it
 * @param valuesMax values that one query may hold before they are combined
 * @param hedging when a second copy is asked of an actor that is late
 * @param load how what queries read is counted and told
 */
public record ClientSettings(
    int fanOutMax,
    int attemptsMax,
    Duration retryDelay,
    Duration patience,
    int valuesMax,
    HedgeSettings hedging,
    LoadSettings load) {
  /** For interactive use. */
  public static final ClientSettings DEFAULT =
      new ClientSettings(
          64,
          20,
          Duration.ofMillis(10),
          Duration.ofSeconds(3),
          10_000_000,
          HedgeSettings.DEFAULT,
          LoadSettings.DEFAULT);

  /** The same with another count of what queries read. */
  public ClientSettings withLoad(LoadSettings other) {
    return new ClientSettings(
        fanOutMax, attemptsMax, retryDelay, patience, valuesMax, hedging, other);
  }
}
