package io.uniserve.runtime.client.update;

import io.uniserve.api.ActorId;
import io.uniserve.api.UpdateFunction;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.group.GroupMember;
import io.uniserve.runtime.client.group.GroupMember.Told;
import io.uniserve.runtime.client.group.Reached;
import io.uniserve.runtime.client.group.TransactionGroups;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.SortedMap;

/**
 * One serializable update (DPA §4.2), alone or in a group with others that wait. A failed update is
 * tried again from the beginning, in another transaction with the same idempotency key. An actor
 * that has committed the former transaction says so and is not touched again.
 */
final class TransactionRun {
  private final ClientContext client;
  private final TableState table;
  private final UpdateKey key;
  private final Payload function;
  private final SortedMap<ActorId, Payload> records;
  private final Deadline deadline;
  private final Runnable deciding;

  /**
   * @param key the idempotency key
   * @param records the records of each touched actor, at least one
   * @param deciding called before a decision is asked for; nothing happens without one
   */
  TransactionRun(
      ClientContext client,
      TableState table,
      UpdateKey key,
      Payload function,
      SortedMap<ActorId, Payload> records,
      Deadline deadline,
      Runnable deciding) {
    this.client = client;
    this.table = table;
    this.key = key;
    this.function = function;
    this.records = records;
    this.deadline = deadline;
    this.deciding = deciding;
  }

  Reached run() {
    Reached reached = new PrimaryCalls(client, table, deadline).untilDeadline(this::attempt);
    client.seen().saw(table.id(), reached.version());
    return reached;
  }

  private Reached attempt() {
    TransactionGroups groups = client.groups();
    GroupMember member =
        new GroupMember(
            table,
            key,
            function,
            records,
            deadline,
            deciding,
            client.engines(),
            client.environment().threads());
    if (!preparesTogether()) {
      member.goAlone();
    }
    groups.add(member);
    while (true) {
      switch (groups.await(member)) {
        case Told.Lead lead -> new GroupRun(client, groups, member).run();
        case Told.Wait again -> {
          // It is told more.
        }
        case Told.Committed committed -> {
          return committed.reached();
        }
      }
    }
  }

  private boolean preparesTogether() {
    return function.value(client.engines()) instanceof UpdateFunction.Serializable<?, ?> known
        && client.engines().engine(table.definition().engine()).preparesTogether(known);
  }
}
