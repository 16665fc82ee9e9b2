package io.uniserve.runtime.wire.entry;

/**
 * The part of a stream's partition that an update has. An actor keeps, for each partition, how far
 * it has got, so whoever sends these records again changes nothing.
 *
 * @param partition a hash of the stream's identity and the partition's number
 * @param first the offset of the first record
 * @param next the offset after that of the last record
 */
public record StreamOffsets(Hash partition, long first, long next) {
  /**
   * Creates the part of a partition.
   *
   * @param stream the stream's identity, which no other stream has had
   * @param partition the number of the partition
   * @throws IllegalArgumentException if no offset is in it
   */
  public static StreamOffsets of(String stream, int partition, long first, long next) {
    if (first < 0 || next <= first) {
      throw new IllegalArgumentException("offsets " + first + " to " + next);
    }
    return new StreamOffsets(Hash.of("stream " + stream + "/" + partition), first, next);
  }

  /** Returns a hash that no other part of any stream has. */
  Hash name() {
    return Hash.of("offsets " + partition + "/" + first + "/" + next);
  }
}
