package io.uniserve.simulation.model;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import java.util.List;

/**
 * An update that gives an actor marks, unless it has later ones.
 *
 * @param marks that it is to have
 */
public record TakeMarks(Marks marks)
    implements UpdateFunction.Eventual<ModelActor, Operation>,
        UpdateFunction.Serializable<ModelActor, Operation>,
        UpdateFunction.Ordered<ModelActor, Operation> {
  @Override
  public Answer update(ModelActor actor, List<Operation> none) {
    actor.take(marks);
    return Answer.NONE;
  }

  @Override
  public boolean repeatable() {
    return true;
  }

  @Override
  public boolean prepare(ModelActor actor, List<Operation> none) {
    actor.prepare(none);
    return true;
  }

  @Override
  public void commit(ModelActor actor) {
    actor.commit();
    actor.take(marks);
  }

  @Override
  public void abort(ModelActor actor) {
    actor.abort();
  }
}
