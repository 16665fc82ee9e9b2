package io.uniserve.simulation.model;

import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;

/**
 * One operation.
 *
 * @param key decides its actor
 * @param number unique in a run
 */
public record Operation(long key, long number) implements PartitionedRecord {
  @Override
  public PartitionKey partitionKey() {
    return PartitionKey.of(key);
  }
}
