package io.uniserve.node.access;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.client.Backups;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;

/** Backups that only administrators make, restore and look at. */
record GuardedBackups(Backups backups) implements Backups {
  @Override
  public SortedMap<ActorId, Position> backUp(String table, Duration timeout) {
    Caller.current().requireAdmin("back up table '" + table + "'");
    return backups.backUp(table, timeout);
  }

  @Override
  public TableState recover(String table, Duration timeout) {
    Caller.current().requireAdmin("recover table '" + table + "'");
    return backups.recover(table, timeout);
  }

  @Override
  public List<StoredTable> storedTables(Duration timeout) {
    Caller.current().requireWholeCluster();
    return backups.storedTables(timeout);
  }

  /**
   * Restores tables. The store may have dropped tables, and those of other clusters, so this needs
   * the right to administer.
   */
  @Override
  public List<Restored> restore(Restore restore, Duration timeout) {
    Caller.current().requireAdmin("restore " + restore.tables());
    return backups.restore(restore, timeout);
  }
}
