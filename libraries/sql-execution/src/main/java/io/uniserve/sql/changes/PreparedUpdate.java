package io.uniserve.sql.changes;

import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.List;

/**
 * An update of an actor's database at any level. It is prepared, and then committed or aborted. An
 * eventual update is committed at once.
 *
 * @param <A> the actor
 * @param <R> its records
 */
public interface PreparedUpdate<A extends WritableActor, R extends PartitionedRecord>
    extends UpdateFunction.Eventual<A, R>,
        UpdateFunction.Serializable<A, R>,
        UpdateFunction.Ordered<A, R> {
  /**
   * Lets the actor {@linkplain WritableActor#prepare prepare} the update.
   *
   * @return the answer of the update
   */
  Answer begin(A actor, List<R> records);

  @Override
  default Answer update(A actor, List<R> records) {
    Answer answer = begin(actor, records);
    actor.commit();
    return answer;
  }

  @Override
  default boolean prepare(A actor, List<R> records) {
    actor.answer(begin(actor, records));
    return true;
  }

  @Override
  default Answer answer(A actor) {
    return actor.answer();
  }

  @Override
  default void commit(A actor) {
    actor.commit();
  }

  @Override
  default void abort(A actor) {
    actor.abort();
  }
}
