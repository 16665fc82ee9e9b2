package io.uniserve.node.load;

import io.uniserve.api.error.UniserveException;

/**
 * The options of loading files.
 *
 * @param batchRecords records of one request, 1 to 100,000
 * @param batchesInFlight requests under way at one time, 1 to 16
 * @param skipBad true if records that cannot be stored are skipped
 */
public record LoadOptions(int batchRecords, int batchesInFlight, boolean skipBad) {
  /** The size at which a batch is also cut, below what a cluster takes at once. */
  static final int BATCH_BYTES_MAX = 2 << 20;

  /** The default: batches of 1000, four at a time, stopping at the first bad record. */
  public static final LoadOptions DEFAULT = new LoadOptions(1000, 4, false);

  /** Checks the figures. */
  public LoadOptions {
    if (batchRecords < 1 || batchRecords > 100_000) {
      throw UniserveException.invalid("a batch has 1 to 100000 records, not " + batchRecords);
    }
    if (batchesInFlight < 1 || batchesInFlight > 16) {
      throw UniserveException.invalid("1 to 16 batches are in flight, not " + batchesInFlight);
    }
  }
}
