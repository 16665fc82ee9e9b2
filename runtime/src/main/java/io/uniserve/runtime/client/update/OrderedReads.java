package io.uniserve.runtime.client.update;

import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ReshapedException;
import io.uniserve.runtime.wire.OrderedMessage.AskMark;
import io.uniserve.runtime.wire.OrderedMessage.Happened;
import io.uniserve.runtime.wire.OrderedMessage.Portion;
import io.uniserve.runtime.wire.OrderedMessage.Stamped;
import io.uniserve.runtime.wire.OrderedMessage.SubmitUpdate;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;

/** The marks of reads of an ordered table (RB §6.7), which its controllers give. */
public final class OrderedReads {
  private final ClientContext client;
  private final TableState table;
  private final Deadline deadline;

  public OrderedReads(ClientContext client, TableState table, Deadline deadline) {
    this.client = client;
    this.table = table;
    this.deadline = deadline;
  }

  /** Returns a mark after all updates that have places now, which the log does not have. */
  public Mark stamp(Collection<Integer> actors) {
    return new PrimaryCalls(client, table, deadline)
        .untilDeadline(() -> client.marks().mark(table.id(), actors, deadline, this::ask));
  }

  private Mark ask(Collection<Integer> actors) {
    AskMark request = new AskMark(table.id(), sorted(actors));
    return client.controllers().ask(request, Stamped.class, deadline).mark();
  }

  /**
   * Returns a mark that has a place in the order itself.
   *
   * @throws ReshapedException if an actor was split or merged meanwhile
   */
  public Mark place(Collection<Integer> actors) {
    Payload nothing = Payload.ofBytes(table.definition().engine(), ByteBuffer.allocate(0));
    List<Portion> portions =
        sorted(actors).stream()
            .map(
                actor ->
                    new Portion(actor, table.definition().partitioner().generation(actor), nothing))
            .toList();
    UpdateKey key =
        UpdateKey.random(client.environment().random(), client.environment().clock().now());
    SubmitUpdate request = new SubmitUpdate(table.id(), key, nothing, portions);
    Happened happened =
        new PrimaryCalls(client, table, deadline).untilDeadline(() -> submit(request));
    return Mark.ofPlace(happened.number());
  }

  private Happened submit(SubmitUpdate request) {
    for (Portion portion : request.portions()) {
      ReshapedException.require(client.state(), table, table.actorId(portion.actor()));
    }
    return client.controllers().ask(request, Happened.class, deadline);
  }

  private static List<Integer> sorted(Collection<Integer> actors) {
    return actors.stream().sorted().toList();
  }
}
