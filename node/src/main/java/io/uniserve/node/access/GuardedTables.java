package io.uniserve.node.access;

import io.uniserve.api.TableDefinition;
import io.uniserve.runtime.client.Tables;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingPlacement;
import java.time.Duration;

/** Tables that only administrators create and drop. */
record GuardedTables(Tables tables) implements Tables {
  @Override
  public TableState createTable(TableDefinition definition, Duration timeout) {
    Caller.current().requireAdmin("create table '" + definition.name() + "'");
    return tables.createTable(definition, timeout);
  }

  @Override
  public TableState createTable(TableDefinition definition, RingPlacement ring, Duration timeout) {
    Caller.current().requireAdmin("create table '" + definition.name() + "'");
    return tables.createTable(definition, ring, timeout);
  }

  @Override
  public void dropTable(String name, Duration timeout) {
    Caller.current().requireAdmin("drop table '" + name + "'");
    tables.dropTable(name, timeout);
  }
}
