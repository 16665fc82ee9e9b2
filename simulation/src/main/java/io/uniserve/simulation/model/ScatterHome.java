package io.uniserve.simulation.model;

import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A scatter of each operation to the one attribute of its actor in a table with a number of actors.
 *
 * @param actors the number of actors
 */
public record ScatterHome(int actors) implements Operator.Scatter<Dataset> {
  @Override
  public void scatter(Dataset input, Output<Chunk> chunks, OperatorContext context) {
    Partitioner partitioner = new Partitioner.Hash(actors);
    SortedMap<Integer, PartitionKey> attributes = new TreeMap<>();
    for (long i = 0; attributes.size() < actors; i++) {
      PartitionKey key = PartitionKey.of(i);
      attributes.putIfAbsent(partitioner.actorOf(key), key);
    }
    for (Operation operation : OperationSet.of(input).operations()) {
      int home = partitioner.actorOf(operation.partitionKey());
      chunks.put(new Chunk(attributes.get(home), OperationSet.chunkOf(operation)));
    }
  }
}
