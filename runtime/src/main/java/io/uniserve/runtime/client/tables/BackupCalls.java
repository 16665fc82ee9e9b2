package io.uniserve.runtime.client.tables;

import io.uniserve.api.ActorId;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.wire.BackupMessage.AskStoredTables;
import io.uniserve.runtime.wire.BackupMessage.BackUp;
import io.uniserve.runtime.wire.BackupMessage.BackedUp;
import io.uniserve.runtime.wire.BackupMessage.LeftOut;
import io.uniserve.runtime.wire.BackupMessage.PlanRestore;
import io.uniserve.runtime.wire.BackupMessage.RestorePlan;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.BackupMessage.StoredTables;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A client's requests to servers about the durable store. */
public final class BackupCalls {
  private final ClientContext client;

  public BackupCalls(ClientContext client) {
    this.client = client;
  }

  /** Backs up every actor of a table, one after another. */
  public SortedMap<ActorId, Position> backUp(TableState table, Deadline deadline) {
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

  public List<StoredTable> stored(Deadline deadline) {
    return ask(new AskStoredTables(), StoredTables.class, deadline).tables();
  }

  /**
   * A table that is to be created.
   *
   * @param leftOut the first update that an ordered table lacks
   */
  public record NewTable(
      TableDefinition definition, TableOrigin origin, Optional<LeftOut> leftOut) {}

  /** Plans a restore: returns the tables to create. Refused if a name is taken. */
  public List<NewTable> plan(Restore restore, Deadline deadline) {
    PlanRestore request =
        new PlanRestore(restore.tables(), restore.asOf().map(Instant::toEpochMilli));
    List<NewTable> tables = new ArrayList<>();
    for (RestorePlan.Planned planned : ask(request, RestorePlan.class, deadline).tables()) {
      TableDefinition before = planned.definition();
      TableDefinition definition =
          named(before, restore.name().orElse(before.name()))
              .withReplicas(restore.replicas().orElse(before.replicas()));
      requireFree(definition.name());
      tables.add(new NewTable(definition, planned.origin(), planned.leftOut()));
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

  /** Asks any server, since the store is the same for all. */
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
