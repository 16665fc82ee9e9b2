package io.uniserve.runtime.server.plan.chunk;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunk;
import java.nio.ByteBuffer;
import java.util.Comparator;

/**
 * A scattered chunk.
 *
 * @param part the part of its attribute
 * @param attribute decides which gather reads it
 * @param bytes its contents; never changed
 */
record KeptChunk(int part, PartitionKey attribute, ByteBuffer bytes) {
  /** The approximate memory of a chunk besides its contents. */
  static final int OVERHEAD_BYTES = 128;

  /** The order by part, then by attribute. */
  static final Comparator<KeptChunk> ORDER =
      Comparator.comparingInt(KeptChunk::part).thenComparing(KeptChunk::attribute);

  /** Returns the chunk's approximate memory. */
  int footprint() {
    return bytes.remaining() + OVERHEAD_BYTES;
  }

  FetchedChunk fetched() {
    return new FetchedChunk(attribute, bytes.asReadOnlyBuffer());
  }
}
