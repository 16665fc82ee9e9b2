package io.uniserve.simulation.model;

import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;

/**
 * A map that makes an actor of a dataset, to be kept. Its operations have the negated numbers of
 * the original ones, since they are others.
 */
public record KeepOperations() implements Operator.Map<Dataset, ModelActor> {
  @Override
  public ModelActor map(Dataset input, OperatorContext context) {
    return ModelActor.made(
        OperationSet.of(input).operations().stream().map(KeepOperations::other).toList());
  }

  /** Returns the operation for one that was kept, and the reverse. */
  public static Operation other(Operation operation) {
    return new Operation(operation.key(), -operation.number());
  }
}
