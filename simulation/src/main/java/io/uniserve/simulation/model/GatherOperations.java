package io.uniserve.simulation.model;

import io.uniserve.api.Operator;
import io.uniserve.api.OperatorContext;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Invariant;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Optional;

/** A gather of everything that was scattered to an attribute. */
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
    actor.journal(); // this fails if it is closed
    Partitioner founded = actor.context().table().partitioner();
    int home = founded.actorOf(attribute);
    // An actor is not told which keys splits have given to others.
    Invariant.EXACT_ANSWER.require(
        home == actor.context().actor() || actor.context().actor() >= founded.actors(),
        () -> attribute + " is gathered at actor " + actor.context().actor() + ", not " + home);
  }
}
