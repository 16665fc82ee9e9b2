package io.uniserve.simulation.model;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import java.util.List;

/**
 * An ordered update that one actor refuses.
 *
 * @param key the key whose actor refuses; others append their operations
 */
public record PartlyRefused(long key) implements UpdateFunction.Ordered<ModelActor, Operation> {
  @Override
  public Answer update(ModelActor actor, List<Operation> operations) {
    if (operations.stream().anyMatch(operation -> operation.key() == key)) {
      throw UniserveException.invalid("the model engine refuses " + operations);
    }
    actor.append(operations);
    return Answer.NONE;
  }
}
