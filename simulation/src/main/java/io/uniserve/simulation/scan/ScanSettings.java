package io.uniserve.simulation.scan;

import io.uniserve.policy.scanning.GrantPolicy;
import java.util.OptionalDouble;

/**
 * The way in which scans are served.
 *
 * @param policy the choice of who gets a slot
 * @param pageSeconds the length of a grant; nothing for a whole partition, as in the paper
 * @param messageSeconds the time of a message, if each server grants its own slots; nothing if one
 *     scheduler knows everything at once, as in the paper
 * @param bufferKb the room that a client has at least; with pages, one for each desired slot is
 *     fetched ahead
 * @param noise the standard deviation of a measured rate, as a share of it
 * @param seed the seed of noise and coins
 */
public record ScanSettings(
    GrantPolicy policy,
    OptionalDouble pageSeconds,
    OptionalDouble messageSeconds,
    double bufferKb,
    double noise,
    long seed) {
  /**
   * Little against what a client consumes in a second: a larger buffer hides for some time that
   * there are too few slots.
   */
  private static final double BUFFER_KB = 100;

  private static final double NOISE = 0.02;

  /** At full rate 5 KB, a record of the paper. */
  private static final double PAGE_SECONDS = 0.02;

  /** Half a millisecond. */
  private static final double MESSAGE_SECONDS = 0.0005;

  /** Returns the paper's way: whole partitions, one scheduler. */
  public static ScanSettings paper(GrantPolicy policy, long seed) {
    return new ScanSettings(
        policy, OptionalDouble.empty(), OptionalDouble.empty(), BUFFER_KB, NOISE, seed);
  }

  /** Returns ours: pages, and each server grants its own slots. */
  public static ScanSettings pages(GrantPolicy policy, long seed) {
    return paper(policy, seed).withPages(PAGE_SECONDS).atServers();
  }

  /** Returns the same with pages of some length. */
  public ScanSettings withPages(double seconds) {
    return new ScanSettings(policy, OptionalDouble.of(seconds), messageSeconds, 0, noise, seed);
  }

  /** Returns the same with grants by each server. */
  public ScanSettings atServers() {
    return new ScanSettings(
        policy, pageSeconds, OptionalDouble.of(MESSAGE_SECONDS), bufferKb, noise, seed);
  }
}
