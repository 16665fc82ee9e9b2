package io.uniserve.engines.warehouse;

import io.uniserve.api.PartitionKey;
import io.uniserve.api.Partitioner;
import io.uniserve.sqlsyntax.SqlTable;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicReference;

/** Which actors hold a row. */
final class Spreading {
  /** Nulls equal nothing, but some joins keep them, and groups bring them together. */
  static final PartitionKey NULL = PartitionKey.of(0);

  /** Most stages of most queries ask for the same. */
  private static final AtomicReference<Known> LAST = new AtomicReference<>();

  private record Known(Partitioner partitioner, SortedMap<Integer, PartitionKey> keys) {}

  private Spreading() {}

  /**
   * The partition key of a spread table's row: of its one partition column, or of all, one after
   * another.
   */
  static PartitionKey key(SqlTable table, List<Object> values) {
    List<PartitionKey> keys =
        table.partitionBy().stream().map(name -> key(values.get(table.indexOf(name)))).toList();
    return keys.size() == 1 ? keys.getFirst() : joined(keys);
  }

  private static PartitionKey key(Object value) {
    return switch (value) {
      case null -> NULL;
      case Long number -> PartitionKey.of(number);
      default -> PartitionKey.of((String) value);
    };
  }

  /** Each key with its length, so that no two lists give the same. */
  static PartitionKey joined(List<PartitionKey> keys) {
    List<byte[]> parts = keys.stream().map(PartitionKey::bytes).toList();
    ByteBuffer all =
        ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length + Integer.BYTES).sum());
    parts.forEach(part -> all.put(part).putInt(part.length));
    return PartitionKey.of(all.array());
  }

  /** For each actor a key that it holds: where the copies of a replicated table's rows go. */
  static SortedMap<Integer, PartitionKey> everyActor(Partitioner partitioner) {
    Known known = LAST.get();
    if (known == null || !known.partitioner.equals(partitioner)) {
      known = new Known(partitioner, Collections.unmodifiableSortedMap(partitioner.keyOfEach()));
      LAST.set(known);
    }
    return known.keys;
  }
}
