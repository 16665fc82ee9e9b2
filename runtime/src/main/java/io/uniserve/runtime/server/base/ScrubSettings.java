package io.uniserve.runtime.server.base;

import java.time.Duration;

/**
 * The settings of the search for damaged files that nobody opens.
 *
 * @param bytesPerSecond the most that is read for it; 0 turns it off
 * @param pause the pause between reading everything and the next round
 */
public record ScrubSettings(long bytesPerSecond, Duration pause) {
  /** The default, which reads a tebibyte in about a day. */
  public static final ScrubSettings DEFAULT = new ScrubSettings(10L << 20, Duration.ofMinutes(10));
}
