package io.uniserve.simulation.model;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Invariant;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;

/** Puts together what was scattered to an attribute. */
public record GatherOperations() implements Operator.Gather<ModelActor, OperationSet> {
  @Override
  public OperationSet gather(
      PartitionKey attribute,
      Iterator<ByteBuffer> chunks,
      Optional<ModelActor> anchor,
      OperatorContext context) {
    anchor.ifPresent(actor -> requireHome(actor, attribute));
    OperationSet set = new OperationSet();
    while (chunks.hasNext()) {
      context.checkCancelled();
      set.take(chunks.next());
    }
    return set;
  }

  private static void requireHome(ModelActor actor, PartitionKey attribute) {
    actor.journal(); // fails if it is closed
    Partitioner founded = actor.context().table().partitioner();
    int home = founded.actorOf(attribute);
    // Whose a key has become by splits an actor is not told.
    Invariant.EXACT_ANSWER.require(
        home == actor.context().actor() || actor.context().actor() >= founded.actors(),
        () -> attribute + " is gathered at actor " + actor.context().actor() + ", not " + home);
  }
}
