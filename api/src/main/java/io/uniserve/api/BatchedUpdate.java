package io.uniserve.api;

import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import java.util.List;

/**
 * One of several updates that an actor takes at once, see {@link Actor#updateAll}.
 *
 * @param function an {@link UpdateFunction.Eventual} or {@link UpdateFunction.Ordered} one
 * @param records the records of the actor
 */
public record BatchedUpdate(
    UpdateFunction<?, ?> function, List<? extends PartitionedRecord> records) {
  /** The outcome of one update. */
  public sealed interface Outcome {
    /**
     * The update is applied.
     *
     * @param answer the answer of its function
     */
    record Applied(Answer answer) implements Outcome {}

    /**
     * The update is refused, and has changed nothing.
     *
     * @param reason the reason, for the caller
     */
    record Refused(UniserveException reason) implements Outcome {}
  }

  /**
   * Applies this update alone.
   *
   * @throws UniserveException if the function refuses it; the actor is then as before
   */
  @SuppressWarnings("unchecked")
  public Answer applyTo(Actor actor) {
    List<PartitionedRecord> plain = (List<PartitionedRecord>) records;
    return switch (function) {
      case UpdateFunction.Eventual<?, ?> eventual ->
          ((UpdateFunction.Eventual<Actor, PartitionedRecord>) eventual).update(actor, plain);
      case UpdateFunction.Ordered<?, ?> ordered ->
          ((UpdateFunction.Ordered<Actor, PartitionedRecord>) ordered).update(actor, plain);
      case UpdateFunction.Serializable<?, ?> serializable ->
          throw new IllegalArgumentException(serializable + " is prepared, not applied");
    };
  }
}
