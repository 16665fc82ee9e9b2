package io.uniserve.sql.arrow;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;

/** The partition keys of rows. */
public final class Spreading {
  /**
   * The key of null. Nulls equal nothing, but some joins keep them, and groups bring them together.
   */
  public static final PartitionKey NULL = PartitionKey.of(0);

  /** The last result, since most stages of most queries ask for the same one. */
  private static final AtomicReference<Known> LAST = new AtomicReference<>();

  private record Known(Partitioner partitioner, SortedMap<Integer, PartitionKey> keys) {}

  private Spreading() {}

  /** Joins keys, each with its length, so that different lists have different results. */
  public static PartitionKey joined(List<PartitionKey> keys) {
    List<byte[]> parts = keys.stream().map(PartitionKey::bytes).toList();
    ByteBuffer all =
        ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length + Integer.BYTES).sum());
    parts.forEach(part -> all.put(part).putInt(part.length));
    return PartitionKey.of(all.array());
  }

  /** Returns a key of each actor, which the copies of a replicated table's rows get. */
  public static SortedMap<Integer, PartitionKey> everyActor(Partitioner partitioner) {
    Known known = LAST.get();
    if (known == null || !known.partitioner.equals(partitioner)) {
      known = new Known(partitioner, Collections.unmodifiableSortedMap(partitioner.keyOfEach()));
      LAST.set(known);
    }
    return known.keys;
  }
}
