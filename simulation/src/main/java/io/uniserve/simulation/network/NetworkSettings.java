package io.uniserve.simulation.network;

import java.time.Duration;

/**
 * The settings of a simulated network without faults.
 *
 * @param delayMin the shortest time that a frame travels
 * @param delayMax the longest, but for stragglers
 * @param stragglers the share of frames that take up to a hundred times as long
 * @param silenceMax the longest time until an end notices that its call is broken, as a transport's
 *     keep-alive does
 * @param byReference true if messages are handed over as they are, without being encoded
 */
public record NetworkSettings(
    Duration delayMin,
    Duration delayMax,
    double stragglers,
    Duration silenceMax,
    boolean byReference) {

  /** The default: a local network with an occasional straggler. */
  public static final NetworkSettings DEFAULT =
      new NetworkSettings(
          Duration.ofNanos(50_000), Duration.ofNanos(500_000), 0.01, Duration.ofSeconds(20), false);
}
