package io.uniserve.runtime.client;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.ControlMessage.CreateTable;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.TableState;

/** Has tables made. */
record NewTables(ClientContext client) {

  /** Returns once every copy is readable. */
  TableState create(CreateTable create, Deadline deadline) {
    TableDefinition definition = create.definition();
    Changed changed = client.routers().submit(create, Changed.class, deadline);
    return await(
        changed, deadline, "table '" + definition.name() + "' to be made on all its servers");
  }

  /**
   * Waits until every copy is readable.
   *
   * @param what is waited for
   */
  TableState await(Changed changed, Deadline deadline, String what) {
    ClusterState ready =
        client
            .subscription()
            .await(
                state ->
                    state.version() >= changed.version()
                        && usable(state.tables().get(changed.table())),
                deadline,
                what);
    TableState table = ready.tables().get(changed.table());
    if (table == null) {
      throw new UniserveException(
          ErrorCode.NOT_FOUND, "it was dropped meanwhile, while somebody waited for " + what);
    }
    return table;
  }

  /** A table that is gone is not waited for. */
  private static boolean usable(TableState table) {
    return table == null
        || table.actors().stream()
            .allMatch(
                actor -> actor.copies().stream().allMatch(copy -> copy.status() == Status.READY));
  }
}
