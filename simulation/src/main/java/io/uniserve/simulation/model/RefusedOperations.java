package io.uniserve.simulation.model;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import java.util.List;

/**
 * An update that the engine refuses, and that must leave nothing behind.
 *
 * @param key the key whose actor refuses; others accept
 */
public record RefusedOperations(long key)
    implements UpdateFunction.Eventual<ModelActor, Operation>,
        UpdateFunction.Serializable<ModelActor, Operation> {
  @Override
  public Answer update(ModelActor actor, List<Operation> operations) {
    throw UniserveException.invalid("the model engine refuses " + operations);
  }

  @Override
  public boolean prepare(ModelActor actor, List<Operation> operations) {
    boolean accepts = operations.stream().noneMatch(operation -> operation.key() == key);
    if (accepts) {
      actor.prepare(operations);
    }
    return accepts;
  }

  @Override
  public void commit(ModelActor actor) {
    actor.commit();
  }

  @Override
  public void abort(ModelActor actor) {
    actor.abort();
  }
}
