package io.uniserve.simulation.model;

import io.uniserve.api.UniserveException;
import io.uniserve.api.UpdateFunction;
import java.util.List;

/** An update that the engine refuses, and that must leave nothing behind. */
public record RefusedOperations() implements UpdateFunction.Eventual<ModelActor, Operation> {
  @Override
  public void update(ModelActor actor, List<Operation> operations) {
    throw UniserveException.invalid("the model engine refuses " + operations);
  }
}
