package io.uniserve.gateways.solr;

import io.uniserve.api.Actor;
import io.uniserve.api.Operator;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.ScanFrom;
import io.uniserve.api.ScanPage;
import io.uniserve.api.SortedScanPlan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.engines.search.SearchEngine;
import io.uniserve.runtime.client.Coverage;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.SortedScan;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.testkit.client.RefusingClient;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.LocalContext;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client of one table whose actors are in this process. Remembers what was asked of it, and fails
 * when told to.
 */
final class LocalClient extends RefusingClient {
  private static final int PAGE_BYTES = 1_000;
  private static final int RECORDS_BEFORE_FAILURE = 100;

  /** The coverage that partial answers report. */
  Coverage coverage = new Coverage(1, List.of());

  final List<UpdateFunction<?, ?>> updates = new ArrayList<>();
  final List<UpdateOptions> updateOptions = new ArrayList<>();
  final List<ScanOptions> scans = new ArrayList<>();
  final List<QueryOptions> queries = new ArrayList<>();
  Optional<UniserveException> failure = Optional.empty();

  /** Is run at the start of each update, by its thread. */
  volatile Runnable beforeUpdates = () -> {};

  private final SearchEngine engine = new SearchEngine();
  private final LocalTable<?> table;
  private final ClusterState state;
  private final ReentrantLock lock = new ReentrantLock();

  LocalClient(TableDefinition definition, Path directory) {
    try {
      table = LocalTable.create(engine, definition, directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    state =
        new ClusterState(
            "test",
            1,
            List.of(),
            new TreeMap<>(),
            new TreeMap<>(
                Map.of(
                    1L,
                    new TableState(1, definition, Optional.empty(), Commitment.NONE, List.of()))),
            new TreeMap<>(Map.of(definition.name(), 1L)),
            false);
  }

  @Override
  public <R> R query(Plan<R> plan, QueryOptions options) {
    queries.add(options);
    throwFailure();
    return table.query(plan);
  }

  @Override
  public <R> PartialAnswer<R> queryPartially(Plan<R> plan, QueryOptions options) {
    return new PartialAnswer<>(query(plan, options), coverage);
  }

  @Override
  public <R extends PartitionedRecord> UpdateReceipt update(
      String name,
      UpdateFunction<?, R> function,
      List<? extends R> records,
      UpdateOptions options) {
    return records.isEmpty() ? receipt() : apply(Batch.of(function, records), options);
  }

  @Override
  public OrderedSession session(String table, SessionOptions options) {
    throw new UnsupportedOperationException("no test here has a session");
  }

  @Override
  public UpdateReceipt updateAll(
      String name, UpdateFunction<?, ?> function, UpdateOptions options) {
    return apply(Batch.ofAllActors(function), options);
  }

  private UpdateReceipt apply(Batch batch, UpdateOptions options) {
    beforeUpdates.run();
    lock.lock();
    try {
      updates.add(batch.update());
      updateOptions.add(options);
      throwFailure();
      table.update(batch);
      return receipt();
    } finally {
      lock.unlock();
    }
  }

  /** Reads all actors in small pages. Fails, if told to, after the first hundred records. */
  @Override
  @SuppressWarnings("unchecked")
  public <T> SortedScan<T> scanSorted(SortedScanPlan<T> plan, ScanOptions options) {
    scans.add(options);
    List<T> all = new ArrayList<>();
    Operator.Scan<Actor> operator = (Operator.Scan<Actor>) plan.scan().operator();
    long found = 0;
    for (int actor : table.definition().partitioner().actorsOf(Keys.ALL)) {
      Optional<ByteBuffer> place = Optional.empty();
      do {
        ScanPage page =
            operator.page(
                table.actor(actor),
                new ScanFrom(place, PAGE_BYTES, Optional.empty()),
                new LocalContext(actor));
        found += place.isEmpty() ? page.total() : 0;
        page.blocks().forEach(block -> plan.reader().read(block).forEachRemaining(all::add));
        place = page.next();
      } while (place.isPresent());
    }
    all.sort(plan.order());
    return new LocalScan<>(all, found);
  }

  private final class LocalScan<T> implements SortedScan<T> {
    private final List<T> all;
    private final long found;
    private int given;

    LocalScan(List<T> all, long found) {
      this.all = all;
      this.found = found;
    }

    @Override
    public long found() {
      return found;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public boolean hasNext() {
      if (given == RECORDS_BEFORE_FAILURE) {
        throwFailure();
      }
      return given < all.size();
    }

    @Override
    public T next() {
      return all.get(given++);
    }

    @Override
    public void close() {}
  }

  private void throwFailure() {
    failure.ifPresent(
        told -> {
          throw told;
        });
  }

  private static UpdateReceipt receipt() {
    return new UpdateReceipt(new TreeMap<>(), 0);
  }

  @Override
  public ClusterState state() {
    return state;
  }

  @Override
  public Planner planner(TableDefinition definition) {
    return engine.planner().orElseThrow();
  }

  @Override
  public void close() {
    table.close();
  }
}
