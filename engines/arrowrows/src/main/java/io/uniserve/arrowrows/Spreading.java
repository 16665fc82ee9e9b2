package io.uniserve.arrowrows;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;

/** Which actors hold a row. */
public final class Spreading {
  /** Nulls equal nothing, but some joins keep them, and groups bring them together. */
  public static final PartitionKey NULL = PartitionKey.of(0);

  /** Most stages of most queries ask for the same. */
  private static final AtomicReference<Known> LAST = new AtomicReference<>();

  private record Known(Partitioner partitioner, SortedMap<Integer, PartitionKey> keys) {}

  private Spreading() {}

  /** Each key with its length, so that no two lists give the same. */
  public static PartitionKey joined(List<PartitionKey> keys) {
    List<byte[]> parts = keys.stream().map(PartitionKey::bytes).toList();
    ByteBuffer all =
        ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length + Integer.BYTES).sum());
    parts.forEach(part -> all.put(part).putInt(part.length));
    return PartitionKey.of(all.array());
  }

  /** For each actor a key that it holds: where the copies of a replicated table's rows go. */
  public static SortedMap<Integer, PartitionKey> everyActor(Partitioner partitioner) {
    Known known = LAST.get();
    if (known == null || !known.partitioner.equals(partitioner)) {
      known = new Known(partitioner, Collections.unmodifiableSortedMap(partitioner.keyOfEach()));
      LAST.set(known);
    }
    return known.keys;
  }
}
