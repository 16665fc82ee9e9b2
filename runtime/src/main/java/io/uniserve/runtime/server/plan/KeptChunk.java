package io.uniserve.runtime.server.plan;

import io.uniserve.api.PartitionKey;
import io.uniserve.runtime.wire.PlanMessage.FetchedChunk;
import java.nio.ByteBuffer;
import java.util.Comparator;

/**
 * A scattered chunk.
 *
 * @param part of its attribute
 * @param attribute decides which gather reads it
 * @param bytes its contents; never changed
 */
record KeptChunk(int part, PartitionKey attribute, ByteBuffer bytes) {
  /** What a chunk takes besides its contents, about. */
  static final int OVERHEAD_BYTES = 128;

  /** By part, then by attribute. */
  static final Comparator<KeptChunk> ORDER =
      Comparator.comparingInt(KeptChunk::part).thenComparing(KeptChunk::attribute);

  /** What it takes in memory, about. */
  int footprint() {
    return bytes.remaining() + OVERHEAD_BYTES;
  }

  FetchedChunk fetched() {
    return new FetchedChunk(attribute, bytes.asReadOnlyBuffer());
  }
}
