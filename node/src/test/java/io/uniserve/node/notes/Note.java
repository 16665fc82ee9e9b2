package io.uniserve.node.notes;

import io.uniserve.api.PartitionKey;
import io.uniserve.api.PartitionedRecord;

/** A note. */
public record Note(String id, String text) implements PartitionedRecord {
  @Override
  public PartitionKey partitionKey() {
    return PartitionKey.of(id);
  }
}
