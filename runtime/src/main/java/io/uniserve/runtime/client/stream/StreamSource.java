package io.uniserve.runtime.client.stream;

import io.uniserve.api.error.UniserveException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/**
 * A topic that is being read. For one thread at a time. Every method may wait, and fails with a
 * retryable {@link UniserveException} while the source cannot be reached.
 */
public interface StreamSource extends AutoCloseable {
  /**
   * The offsets that a partition has.
   *
   * @param first the offset of its oldest record
   * @param end the offset after its newest
   */
  record Bounds(long first, long end) {}

  /**
   * Returns an identity of the topic that changes if it is deleted and made again, so that its
   * offsets mean something else.
   */
  String identity();

  /** Returns the partitions that the topic has now, by number. */
  SortedMap<Integer, Bounds> partitions();

  /** Reads on from these offsets, by number of partition, and from no other partition. */
  void seek(Map<Integer, Long> next);

  /**
   * Returns the next records, those of each partition in their order; none if there are none before
   * the patience is over. What is returned at once is bounded.
   *
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#NOT_FOUND} if the source
   *     has deleted records that were to be read
   */
  List<StreamRecord> read(Duration patience);

  @Override
  void close();
}
