package io.uniserve.api;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * A page of a scan.
 *
 * @param blocks its records, in the engine's own form
 * @param records their number; may be 0 before the end, if nothing matched
 * @param next the place where the next page begins; empty at the end of the actor
 * @param read the number of records that were looked at, whether they matched or not
 * @param total an estimate of the records of the actor
 */
public record ScanPage(
    List<ByteBuffer> blocks, long records, Optional<ByteBuffer> next, long read, long total) {
  /** Copies the list. */
  public ScanPage {
    blocks = List.copyOf(blocks);
  }
}
