package io.uniserve.node.access;

import io.uniserve.api.Plan;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.OrderedReceipt;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.ReadLevel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A session that refuses what its caller may not do. It is the caller who began it, whichever
 * thread submits.
 */
record GuardedSession(OrderedSession session, String table, Caller caller)
    implements OrderedSession {
  @Override
  public <R extends PartitionedRecord> OrderedReceipt submit(
      UpdateFunction<?, R> function, List<? extends R> records) {
    GuardedUpdates.requireUpdate(table, function, caller);
    return session.submit(function, records);
  }

  @Override
  public OrderedReceipt submitAll(UpdateFunction<?, ?> function) {
    GuardedUpdates.requireUpdate(table, function, caller);
    return session.submitAll(function);
  }

  @Override
  public <R> CompletableFuture<R> read(Plan<R> plan, ReadLevel level, Duration timeout) {
    return session.read(GuardedQueries.allowed(plan, caller), level, timeout);
  }

  @Override
  public void drain(Duration timeout) {
    session.drain(timeout);
  }

  @Override
  public boolean failed() {
    return session.failed();
  }

  @Override
  public void close() {
    session.close();
  }
}
