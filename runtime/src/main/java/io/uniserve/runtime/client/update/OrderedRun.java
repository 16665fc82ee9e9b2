package io.uniserve.runtime.client.update;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ReshapedException;
import io.uniserve.runtime.client.group.Reached;
import io.uniserve.runtime.wire.OrderedMessage.Happened;
import io.uniserve.runtime.wire.OrderedMessage.Outcome;
import io.uniserve.runtime.wire.OrderedMessage.Portion;
import io.uniserve.runtime.wire.OrderedMessage.SubmitUpdate;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One ordered update (RB §5). It is submitted to the coordinator until that says that all actors
 * have received it. The idempotency key makes it safe to submit it again.
 */
final class OrderedRun {
  private final ClientContext client;
  private final TableState table;
  private final SubmitUpdate request;
  private final Deadline deadline;
  private final Runnable sending;

  /**
   * @param key the idempotency key
   * @param records the records of each touched actor, at least one
   * @param sending called before anything is sent that may apply the update
   */
  OrderedRun(
      ClientContext client,
      TableState table,
      UpdateKey key,
      Payload function,
      SortedMap<ActorId, Payload> records,
      Deadline deadline,
      Runnable sending) {
    this.client = client;
    this.sending = sending;
    this.table = table;
    this.deadline = deadline;
    List<Portion> portions = new ArrayList<>();
    records.forEach((actor, some) -> portions.add(portion(actor.number(), some)));
    this.request = new SubmitUpdate(table.id(), key, function, portions);
  }

  private Portion portion(int actor, Payload records) {
    return new Portion(actor, table.definition().partitioner().generation(actor), records);
  }

  /**
   * Runs it.
   *
   * @throws ReshapedException if an actor was split or merged before the update was ordered, or
   *     since; what it received is known under its key to its successors
   * @throws UniserveException the engine's, if it refused the update on any actor; the message
   *     names the actors on which it was applied all the same
   */
  Reached run() {
    Happened happened = new PrimaryCalls(client, table, deadline).untilDeadline(this::submit);
    requireAccepted(happened);
    SortedMap<ActorId, Reached.Part> parts = new TreeMap<>();
    happened
        .outcomes()
        .forEach(
            outcome ->
                parts.put(
                    table.actorId(outcome.actor()),
                    new Reached.Part(outcome.position(), outcome.answers())));
    return new Reached(parts, 0);
  }

  private Happened submit() {
    for (Portion portion : request.portions()) {
      ReshapedException.require(client.state(), table, table.actorId(portion.actor()));
    }
    sending.run();
    return client.controllers().ask(request, Happened.class, deadline);
  }

  /**
   * Requires that no actor has refused the update. There are no aborts: others may have applied it.
   */
  private void requireAccepted(Happened happened) {
    SortedSet<ActorId> applied = new TreeSet<>();
    SortedMap<ActorId, UniserveException> failures = new TreeMap<>();
    for (Outcome outcome : happened.outcomes()) {
      ActorId id = table.actorId(outcome.actor());
      outcome
          .refusal()
          .ifPresentOrElse(
              refusal -> failures.put(id, new UniserveException(refusal.code(), refusal.message())),
              () -> applied.add(id));
    }
    UpdateRun.requireAll(applied, failures);
  }
}
