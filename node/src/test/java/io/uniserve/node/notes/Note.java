package io.uniserve.node.notes;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;

/** A note. */
public record Note(String id, String text) implements PartitionedRecord {
  @Override
  public PartitionKey partitionKey() {
    return PartitionKey.of(id);
  }
}
