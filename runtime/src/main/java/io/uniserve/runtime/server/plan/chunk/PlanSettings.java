package io.uniserve.runtime.server.plan.chunk;

import java.time.Duration;

/**
 * The bounds of the resources that plans take of a server.
 *
 * @param datasetBytesMax memory of materialised datasets, by their own account, beyond which no
 *     task is begun
 * @param chunkBytesMax memory of scattered chunks; further chunks go to files
 * @param chunkBytesKept the bytes of chunks of one task that are not written to a file for want of
 *     memory
 * @param pageBytesMax the longest page of chunks, unless one chunk alone is longer
 * @param mergeBytesMax memory of the pages that one gather task reads at a time
 * @param chunkSizeMax the longest chunk, in bytes
 * @param pageTimeout the longest time that a page may take to arrive before it is requested again
 * @param pageAttemptsMax the largest number of requests for a page
 */
public record PlanSettings(
    long datasetBytesMax,
    long chunkBytesMax,
    long chunkBytesKept,
    int pageBytesMax,
    int mergeBytesMax,
    int chunkSizeMax,
    Duration pageTimeout,
    int pageAttemptsMax) {

  /** The shortest page that is worth a message. */
  public static final int PAGE_BYTES_MIN = 16 << 10;

  /**
   * Returns the settings of a server whose process may use this much memory. Plans use half of it.
   */
  public static PlanSettings forMemory(long bytes) {
    return new PlanSettings(
        bytes / 4,
        bytes / 8,
        8 << 20,
        4 << 20,
        (int) Math.min(32 << 20, bytes / 32),
        48 << 20,
        Duration.ofSeconds(5),
        3);
  }
}
