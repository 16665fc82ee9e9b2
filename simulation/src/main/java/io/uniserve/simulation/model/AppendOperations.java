package io.uniserve.simulation.model;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import java.util.List;

/** An update that appends operations to the journal, at any level. */
public record AppendOperations()
    implements UpdateFunction.Eventual<ModelActor, Operation>,
        UpdateFunction.Serializable<ModelActor, Operation>,
        UpdateFunction.Ordered<ModelActor, Operation> {
  @Override
  public Answer update(ModelActor actor, List<Operation> operations) {
    actor.append(operations);
    return Answer.NONE;
  }

  @Override
  public boolean prepare(ModelActor actor, List<Operation> operations) {
    actor.prepare(operations);
    return true;
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
