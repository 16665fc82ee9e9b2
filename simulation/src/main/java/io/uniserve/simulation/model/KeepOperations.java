package io.uniserve.simulation.model;

import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;

/**
 * Makes an actor of what a dataset holds, to be kept. Its operations have the numbers of those that
 * they were, negated: they are others.
 */
public record KeepOperations() implements Operator.Map<Dataset, ModelActor> {
  @Override
  public ModelActor map(Dataset input, OperatorContext context) {
    return ModelActor.made(
        OperationSet.of(input).operations().stream().map(KeepOperations::other).toList());
  }

  /** An operation for one that was kept, and the other way round. */
  public static Operation other(Operation operation) {
    return new Operation(operation.key(), -operation.number());
  }
}
