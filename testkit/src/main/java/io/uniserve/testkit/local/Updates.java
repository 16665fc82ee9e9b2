package io.uniserve.testkit.local;

import io.uniserve.api.Actor;
import io.uniserve.api.Answer;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.List;

/** The application of update functions of every level to one actor. */
public final class Updates {
  private Updates() {}

  /**
   * Applies records.
   *
   * @return the function's answer
   * @throws UniserveException if the function refuses the records, or votes for abort
   */
  @SuppressWarnings("unchecked")
  static Answer apply(
      UpdateFunction<?, ?> function, Actor actor, List<? extends PartitionedRecord> records) {
    List<PartitionedRecord> plain = List.copyOf(records);
    return switch (function) {
      case UpdateFunction.Eventual<?, ?> eventual ->
          ((UpdateFunction.Eventual<Actor, PartitionedRecord>) eventual).update(actor, plain);
      case UpdateFunction.Ordered<?, ?> ordered ->
          ((UpdateFunction.Ordered<Actor, PartitionedRecord>) ordered).update(actor, plain);
      case UpdateFunction.Serializable<?, ?> serializable ->
          transact(
              (UpdateFunction.Serializable<Actor, PartitionedRecord>) serializable, actor, plain);
    };
  }

  /**
   * Applies records as an ordered update, even if the function has other levels, too.
   *
   * @throws UniserveException if the function refuses the records
   */
  @SuppressWarnings("unchecked")
  static Answer order(
      UpdateFunction<?, ?> function, Actor actor, List<? extends PartitionedRecord> records) {
    return ((UpdateFunction.Ordered<Actor, PartitionedRecord>) function)
        .update(actor, List.copyOf(records));
  }

  private static Answer transact(
      UpdateFunction.Serializable<Actor, PartitionedRecord> function,
      Actor actor,
      List<PartitionedRecord> records) {
    if (!function.prepare(actor, records)) {
      function.abort(actor);
      throw UniserveException.invalid(function.getClass().getSimpleName() + " votes for abort");
    }
    Answer answer = function.answer(actor);
    function.commit(actor);
    return answer;
  }
}
