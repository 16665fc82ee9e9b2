package io.uniserve.runtime.client.stream;

import java.time.Duration;
import java.util.Map;

/**
 * The settings of a process that reads streams.
 *
 * @param kinds the kinds of sources, by name
 * @param formats the formats of records, by name
 * @param properties settings for sources, which may have secrets
 * @param interval the time between two reports of each stream
 * @param patience the time for which a source is asked for records at once
 * @param pause the pause after a failure that may pass
 * @param timeout the timeout of one update
 */
public record StreamSettings(
    Map<String, StreamSourceKind> kinds,
    Map<String, StreamFormat> formats,
    Map<String, String> properties,
    Duration interval,
    Duration patience,
    Duration pause,
    Duration timeout) {
  /** Creates the settings with the default times. */
  public StreamSettings(
      Map<String, StreamSourceKind> kinds,
      Map<String, StreamFormat> formats,
      Map<String, String> properties) {
    this(
        kinds,
        formats,
        properties,
        Duration.ofSeconds(1),
        Duration.ofMillis(200),
        Duration.ofMillis(500),
        Duration.ofSeconds(30));
  }
}
