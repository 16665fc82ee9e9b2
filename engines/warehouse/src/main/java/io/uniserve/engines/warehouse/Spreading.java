package io.uniserve.engines.warehouse;

import io.uniserve.api.PartitionKey;
import io.uniserve.api.Partitioner;
import io.uniserve.sqlplanner.SqlTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Which actors hold a row. */
final class Spreading {
  /** Nulls equal nothing, but some joins keep them, and groups bring them together. */
  static final PartitionKey NULL = PartitionKey.of(0);

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
  static List<PartitionKey> everyActor(Partitioner partitioner) {
    return partitioner.base() instanceof Partitioner.Range range
        ? firsts(range, partitioner)
        : searched(partitioner);
  }

  /** Each actor of a range holds its first key: the smallest of all, a split's or a cut's. */
  private static List<PartitionKey> firsts(Partitioner.Range range, Partitioner partitioner) {
    List<PartitionKey> keys = new ArrayList<>(List.of(PartitionKey.of(new byte[0])));
    keys.addAll(range.splits());
    for (Partitioner.Change change : partitioner.history()) {
      if (change instanceof Partitioner.Cut cut
          && cut.where() instanceof Partitioner.Where.From from) {
        keys.add(from.key());
      }
    }
    return keys;
  }

  private static List<PartitionKey> searched(Partitioner partitioner) {
    PartitionKey[] keys = new PartitionKey[partitioner.actors()];
    int found = 0;
    for (long candidate = 0; found < keys.length; candidate++) {
      PartitionKey key = PartitionKey.of(candidate);
      int actor = partitioner.actorOf(key);
      if (keys[actor] == null) {
        keys[actor] = key;
        found++;
      }
    }
    return Collections.unmodifiableList(Arrays.asList(keys));
  }
}
