package io.uniserve.runtime.wire.stream;

/**
 * The progress of a stream in one partition of its topic.
 *
 * @param number the number of the partition
 * @param begun the offset where reading began
 * @param next the offset before which every record is in the table on all copies, or was skipped
 * @param end the offset after the newest record, when it was last looked at
 * @param skipped the number of records that were skipped
 */
public record StreamPartition(int number, long begun, long next, long end, long skipped) {
  /** Returns the number of records that are yet to be read, as of the last look. */
  public long lag() {
    return Math.max(0, end - next);
  }
}
