package io.uniserve.runtime.client.cluster;

import io.uniserve.api.ActorId;
import io.uniserve.api.TableDefinition;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.Backups;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.run.RedefineRun;
import io.uniserve.runtime.client.tables.BackupCalls;
import io.uniserve.runtime.client.tables.BackupCalls.NewTable;
import io.uniserve.runtime.client.tables.NewTables;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.ControlMessage.CreateTable;
import io.uniserve.runtime.wire.ControlMessage.RecoverTable;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** Backups and restores by the servers of a cluster. */
record ClusterBackups(ClientContext context, NewTables tables, BackupCalls backups)
    implements Backups {
  @Override
  public SortedMap<ActorId, Position> backUp(String table, Duration timeout) {
    Deadline deadline = Deadline.after(context.environment().clock(), timeout);
    return backups.backUp(context.requireTable(table, deadline), deadline);
  }

  @Override
  public List<StoredTable> storedTables(Duration timeout) {
    return backups.stored(Deadline.after(context.environment().clock(), timeout));
  }

  @Override
  public List<Restored> restore(Restore restore, Duration timeout) {
    Deadline deadline = Deadline.after(context.environment().clock(), timeout);
    return backups.plan(restore, deadline).stream()
        .map(table -> new Restored(created(table, deadline), table.leftOut()))
        .map(restored -> restored.with(settled(restored.table(), deadline)))
        .toList();
  }

  private TableState created(NewTable table, Deadline deadline) {
    return tables.create(
        new CreateTable(table.definition(), Optional.of(table.origin())), deadline);
  }

  @Override
  public TableState recover(String table, Duration timeout) {
    Deadline deadline = Deadline.after(context.environment().clock(), timeout);
    Changed changed =
        context.controllers().submit(new RecoverTable(table), Changed.class, deadline);
    return settled(
        tables.await(changed, deadline, "table '" + table + "' to be recovered"), deadline);
  }

  /**
   * Returns a restored table once its definition is settled, which may have changed since it was
   * created.
   */
  private TableState settled(TableState restored, Deadline deadline) {
    TableDefinition definition = restored.definition();
    return context.engines().engine(definition.engine()).redefinition().isEmpty()
        ? restored
        : new RedefineRun(context, definition.name(), deadline).settled();
  }
}
