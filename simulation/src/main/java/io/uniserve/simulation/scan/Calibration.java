package io.uniserve.simulation.scan;

/**
 * The speed at which a server reads a partition and puts out what matches. The paper gives no such
 * rates; these are inferred from its figures. No single rate of reading satisfies figures 5 and 6:
 * with few matches a server reads 12,500 KB/s, and with many it puts out 250 KB/s.
 */
final class Calibration {
  /** The size of a partition. */
  static final double PARTITION_KB = 100_000;

  private static final double READ_KB_PER_SECOND = 12_500;
  private static final double OUTPUT_KB_PER_SECOND_MAX = 250;

  private Calibration() {}

  /** Returns the time to read a partition of which a share matches. */
  static double partitionSeconds(double selectivity) {
    return Math.max(
        PARTITION_KB / READ_KB_PER_SECOND, selectivity * PARTITION_KB / OUTPUT_KB_PER_SECOND_MAX);
  }

  /** Returns what a server puts out meanwhile in a second. */
  static double outputKbPerSecond(double selectivity) {
    return selectivity * PARTITION_KB / partitionSeconds(selectivity);
  }
}
