package io.uniserve.simulation.model;

import io.uniserve.api.Dataset;
import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;

/** A map that materialises the contents of a dataset. */
public record CopyOperations() implements Operator.Map<Dataset, OperationSet> {
  @Override
  public OperationSet map(Dataset input, OperatorContext context) {
    return OperationSet.of(input).copy();
  }
}
