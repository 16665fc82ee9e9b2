package io.uniserve.runtime.server;

import java.time.Duration;

/**
 * How a server looks for damage of what nobody opens.
 *
 * @param bytesPerSecond that it reads for that, at most; 0 for not at all
 * @param pause after it has read everything, before it begins again
 */
public record ScrubSettings(long bytesPerSecond, Duration pause) {
  /** Reads a tebibyte in a day or so. */
  public static final ScrubSettings DEFAULT = new ScrubSettings(10L << 20, Duration.ofMinutes(10));
}
