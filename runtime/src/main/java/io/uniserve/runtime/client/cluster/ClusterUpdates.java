package io.uniserve.runtime.client.cluster;

import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.client.Updates;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.session.SessionRun;
import io.uniserve.runtime.client.update.UpdateRun;
import java.util.List;

/** Updates that are sent to the servers of a cluster. */
record ClusterUpdates(ClientContext context) implements Updates {
  @Override
  public <R extends PartitionedRecord> UpdateReceipt update(
      String table,
      UpdateFunction<?, R> function,
      List<? extends R> records,
      UpdateOptions options) {
    return UpdateRun.ofRecords(context, table, function, records, options);
  }

  @Override
  public UpdateReceipt updateAll(
      String table, UpdateFunction<?, ?> function, UpdateOptions options) {
    return UpdateRun.ofAllActors(context, table, function, options);
  }

  @Override
  public OrderedSession session(String table, SessionOptions options) {
    return SessionRun.of(context, table, options);
  }

  @Override
  public void requireWrite(String table) {
    // this client guards nothing
  }
}
