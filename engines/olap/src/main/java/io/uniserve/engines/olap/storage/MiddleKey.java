package io.uniserve.engines.olap.storage;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.engines.olap.rows.OlapRow;
import io.uniserve.engines.olap.rows.OlapSchema;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The key that about half of the rows come before, estimated from some of the rows. */
final class MiddleKey {
  private static final long SAMPLE_MAX = 100_000;

  private final OlapSchema schema;
  private final Contents contents;
  private final List<PartitionKey> sample = new ArrayList<>();

  MiddleKey(OlapSchema schema, Contents contents) {
    this.schema = schema;
    this.contents = contents;
  }

  Optional<PartitionKey> get() {
    long step = 1 + contents.rows() / SAMPLE_MAX;
    for (StoredSegment each : contents.stored()) {
      new SegmentRows(schema, each.index())
          .visit(
              (row, keyMillis, hash) -> {
                if (row % step == 0) {
                  sample.add(OlapRow.key(keyMillis, hash.get()));
                }
              });
    }
    for (MemoryPart part : contents.parts()) {
      for (int row = 0; row < part.rows().size(); row += (int) step) {
        sample.add(part.rows().get(row).partitionKey());
      }
    }
    Collections.sort(sample);
    return sample.isEmpty() ? Optional.empty() : middle();
  }

  /** Returns the key in the middle, or the next one that is greater than the first. */
  private Optional<PartitionKey> middle() {
    PartitionKey first = sample.getFirst();
    return sample.subList(sample.size() / 2, sample.size()).stream()
        .filter(key -> key.compareTo(first) > 0)
        .findFirst();
  }
}
