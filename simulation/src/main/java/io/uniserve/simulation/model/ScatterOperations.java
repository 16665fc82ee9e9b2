package io.uniserve.simulation.model;

import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.Output;
import io.uniserve.api.partition.PartitionKey;

/**
 * A scatter of each operation, and each actor's count, to an attribute.
 *
 * @param attributes the number of attributes; one is as skewed as can be; 0 sends each operation to
 *     its own key, where its actor is
 */
public record ScatterOperations(int attributes) implements Operator.Scatter<Dataset> {
  @Override
  public void scatter(Dataset input, Output<Chunk> chunks, OperatorContext context) {
    OperationSet set = OperationSet.of(input);
    set.operations()
        .forEach(
            operation ->
                chunks.put(new Chunk(attributeOf(operation), OperationSet.chunkOf(operation))));
    set.counts()
        .forEach(
            (actor, count) ->
                chunks.put(new Chunk(PartitionKey.of(actor), OperationSet.chunkOf(actor, count))));
  }

  private PartitionKey attributeOf(Operation operation) {
    return attributes == 0
        ? operation.partitionKey()
        : PartitionKey.of(operation.number() % attributes);
  }
}
