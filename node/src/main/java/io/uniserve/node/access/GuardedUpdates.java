package io.uniserve.node.access;

import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.client.Updates;
import java.util.List;

/** Updates that are refused if the caller of the present request may not write the table. */
record GuardedUpdates(Updates updates) implements Updates {
  @Override
  public <R extends PartitionedRecord> UpdateReceipt update(
      String table,
      UpdateFunction<?, R> function,
      List<? extends R> records,
      UpdateOptions options) {
    requireUpdate(table, function, Caller.current());
    return updates.update(table, function, records, options);
  }

  @Override
  public UpdateReceipt updateAll(
      String table, UpdateFunction<?, ?> function, UpdateOptions options) {
    requireUpdate(table, function, Caller.current());
    return updates.updateAll(table, function, options);
  }

  @Override
  public OrderedSession session(String table, SessionOptions options) {
    Caller caller = Caller.current();
    caller.requireWrite(table);
    return new GuardedSession(updates.session(table, options), table, caller);
  }

  @Override
  public void requireWrite(String table) {
    Caller.current().requireWrite(table);
  }

  static void requireUpdate(String table, UpdateFunction<?, ?> function, Caller caller) {
    caller.requireWrite(table);
    if (function.reads()) {
      caller.requireRead(table);
    }
  }
}
