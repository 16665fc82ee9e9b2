package io.uniserve.node.demo;

import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.node.remote.Retries;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * The storing of rows on all copies of a table, in batches of which several are under way. Each
 * batch has a key. A batch whose answer is late, or lost, is sent again under its key, and is
 * stored once.
 */
final class BatchStore {
  private final UniserveClient client;
  private final TableDefinition definition;
  private final Planner planner;
  private final int inFlight;
  private final Retries retries;

  /**
   * @param inFlight batches under way at a time
   * @param retries the retries of one batch
   */
  BatchStore(UniserveClient client, TableDefinition definition, int inFlight, Retries retries) {
    this.client = client;
    this.definition = definition;
    this.planner = client.planner(definition);
    this.inFlight = inFlight;
    this.retries = retries;
  }

  /**
   * Stores batches until there is an empty one.
   *
   * @param stored receives the number of further rows, on any thread
   * @throws UniserveException the reason why a batch was not stored
   */
  void store(Supplier<List<Map<String, Object>>> batches, LongConsumer stored) {
    Semaphore free = new Semaphore(inFlight);
    AtomicReference<UniserveException> failure = new AtomicReference<>();
    try (ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Map<String, Object>> batch = batches.get();
      while (!batch.isEmpty() && failure.get() == null) {
        List<Map<String, Object>> rows = batch;
        free.acquireUninterruptibly();
        senders.execute(
            () -> {
              try {
                store(rows);
                stored.accept(rows.size());
              } catch (UniserveException e) {
                failure.compareAndSet(null, e);
              } finally {
                free.release();
              }
            });
        batch = batches.get();
      }
    }
    if (failure.get() != null) {
      throw failure.get();
    }
  }

  @SuppressWarnings("unchecked") // for its own records
  private void store(List<Map<String, Object>> rows) {
    UpdateOptions options =
        new UpdateOptions(
            UpdateOptions.ALL_COPIES.timeout(),
            UpdateOptions.ALL_COPIES.acknowledgement(),
            Optional.of(UUID.randomUUID().toString()));
    UpdateFunction<?, PartitionedRecord> load =
        (UpdateFunction<?, PartitionedRecord>) planner.load(definition);
    List<? extends PartitionedRecord> records = planner.records(definition, rows);
    retries.run(() -> client.update(definition.name(), load, records, options));
  }
}
