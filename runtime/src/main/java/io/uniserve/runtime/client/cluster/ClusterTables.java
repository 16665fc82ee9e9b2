package io.uniserve.runtime.client.cluster;

import io.uniserve.api.TableDefinition;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.client.Tables;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ControlChanges;
import io.uniserve.runtime.client.tables.NewTables;
import io.uniserve.runtime.wire.ControlMessage.CreateTable;
import io.uniserve.runtime.wire.ControlMessage.DropTable;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingPlacement;
import java.time.Duration;
import java.util.Optional;

/** Tables that the coordinator creates and drops. */
record ClusterTables(ClientContext context, NewTables tables, ControlChanges changes)
    implements Tables {
  @Override
  public TableState createTable(TableDefinition definition, Duration timeout) {
    return tables.create(
        new CreateTable(definition, Optional.empty()),
        Deadline.after(context.environment().clock(), timeout));
  }

  @Override
  public TableState createTable(TableDefinition definition, RingPlacement ring, Duration timeout) {
    return tables.create(
        new CreateTable(definition, Optional.empty(), Optional.of(ring)),
        Deadline.after(context.environment().clock(), timeout));
  }

  @Override
  public void dropTable(String name, Duration timeout) {
    changes.make(new DropTable(name), timeout, "the end of table '" + name + "'");
  }
}
