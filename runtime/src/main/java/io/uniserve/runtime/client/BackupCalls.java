package io.uniserve.runtime.client;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.BackupMessage.AskStoredTables;
import io.uniserve.runtime.wire.BackupMessage.BackUp;
import io.uniserve.runtime.wire.BackupMessage.BackedUp;
import io.uniserve.runtime.wire.BackupMessage.PlanRestore;
import io.uniserve.runtime.wire.BackupMessage.RestorePlan;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.BackupMessage.StoredTables;
import io.uniserve.runtime.wire.Position;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** What a client asks of servers about the durable store. */
final class BackupCalls {
  private final ClientContext client;

  BackupCalls(ClientContext client) {
    this.client = client;
  }

  /** Backs up every actor of a table, one after another. */
  SortedMap<ActorId, Position> backUp(TableState table, Deadline deadline) {
    SortedMap<ActorId, Position> positions = new TreeMap<>();
    for (int number : table.living().keySet()) {
      ActorId id = table.actorId(number);
      ServerState primary =
          client.state().servers().get(client.state().actor(id).orElseThrow().primary());
      positions.put(
          id, client.calls().ask(primary, new BackUp(id), BackedUp.class, deadline).position());
    }
    return positions;
  }

  List<StoredTable> stored(Deadline deadline) {
    return ask(new AskStoredTables(), StoredTables.class, deadline).tables();
  }

  /** A table that is to be created. */
  record NewTable(TableDefinition definition, TableOrigin origin) {}

  /** What is to be created. Refused if a name is taken. */
  List<NewTable> plan(Restore restore, Deadline deadline) {
    PlanRestore request =
        new PlanRestore(restore.tables(), restore.asOf().map(Instant::toEpochMilli));
    List<NewTable> tables = new ArrayList<>();
    for (RestorePlan.Planned planned : ask(request, RestorePlan.class, deadline).tables()) {
      TableDefinition before = planned.definition();
      TableDefinition definition =
          named(before, restore.name().orElse(before.name()))
              .withReplicas(restore.replicas().orElse(before.replicas()));
      requireFree(definition.name());
      tables.add(new NewTable(definition, planned.origin()));
    }
    return tables;
  }

  private TableDefinition named(TableDefinition table, String name) {
    return table.name().equals(name)
        ? table
        : client.engines().engine(table.engine()).renamed(table, name);
  }

  private void requireFree(String name) {
    if (client.state().table(name).isPresent()) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS,
          "there is a table '" + name + "'; restore under another name, or drop it first");
    }
  }

  /** Any server serves: the store is the same for all. */
  private <T extends Message> T ask(Message request, Class<T> reply, Deadline deadline) {
    UniserveException failure =
        new UniserveException(ErrorCode.UNAVAILABLE, "no server is alive to look into the store");
    for (ServerState server : client.state().servers().values()) {
      if (server.alive()) {
        try {
          return client.calls().ask(server, request, reply, deadline);
        } catch (UniserveException e) {
          if (!e.retryable() || deadline.expired(client.environment().clock())) {
            throw e;
          }
          failure = e;
        }
      }
    }
    throw failure;
  }
}
