package io.uniserve.bench.keyvalue;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;

/** A key and its value. */
public record Entry(String key, String value) implements PartitionedRecord {
  @Override
  public PartitionKey partitionKey() {
    return PartitionKey.of(key);
  }
}
