package io.uniserve.simulation.model;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import java.util.List;

/**
 * An update that appends operations to the journal, at any level. It answers with the number of the
 * operation before each that has its key, 0 if there is none.
 */
public record AppendOperations()
    implements UpdateFunction.Eventual<ModelActor, Operation>,
        UpdateFunction.Serializable<ModelActor, Operation>,
        UpdateFunction.Ordered<ModelActor, Operation> {
  private static final int FIXED_BYTES = 16;
  private static final int NUMBER_BYTES_MAX = 16;

  @Override
  public int answerBytesMax(int records) {
    return FIXED_BYTES + records * NUMBER_BYTES_MAX;
  }

  @Override
  public Answer update(ModelActor actor, List<Operation> operations) {
    Answer answer = Answer.each(actor.before(operations));
    actor.append(operations);
    return answer;
  }

  @Override
  public boolean prepare(ModelActor actor, List<Operation> operations) {
    actor.prepare(operations);
    return true;
  }

  @Override
  public Answer answer(ModelActor actor) {
    return Answer.each(actor.beforePrepared());
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
