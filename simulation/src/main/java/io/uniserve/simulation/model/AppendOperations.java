package io.uniserve.simulation.model;

import io.uniserve.api.UpdateFunction;
import java.util.List;

/** Appends operations to the journal. */
public record AppendOperations() implements UpdateFunction.Eventual<ModelActor, Operation> {
  @Override
  public void update(ModelActor actor, List<Operation> operations) {
    actor.append(operations);
  }
}
