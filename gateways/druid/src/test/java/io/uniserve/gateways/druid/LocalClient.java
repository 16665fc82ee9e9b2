package io.uniserve.gateways.druid;

import io.uniserve.api.Plan;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.engines.olap.AppendRows;
import io.uniserve.engines.olap.OlapEngine;
import io.uniserve.engines.olap.OlapPlanner;
import io.uniserve.engines.olap.storage.OlapActor;
import io.uniserve.kernel.Address;
import io.uniserve.runtime.client.ClusterAdmin;
import io.uniserve.runtime.client.OrderedSession;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Scan;
import io.uniserve.runtime.client.ScanOptions;
import io.uniserve.runtime.client.SessionOptions;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.testkit.client.RefusingClient;
import io.uniserve.testkit.local.Batch;
import io.uniserve.testkit.local.LocalPlans;
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A client of tables whose actors are in this process. An update whose key it has seen is not
 * applied again, as by actors of a cluster.
 */
final class LocalClient extends RefusingClient {
  private final Path directory;
  private final TableDefinition definition;
  private final Map<String, LocalTable<OlapActor>> tables = new TreeMap<>();
  private final Map<String, Object> applied = new TreeMap<>();
  final LocalStreams streams = new LocalStreams();

  /** Makes a client of one table; more can be created. */
  LocalClient(TableDefinition definition, Path directory) {
    this.definition = definition;
    this.directory = directory;
    createTable(definition, Duration.ZERO);
  }

  @Override
  public TableState createTable(TableDefinition made, Duration timeout) {
    try {
      tables.put(
          made.name(), LocalTable.create(new OlapEngine(), made, directory.resolve(made.name())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return table(made.name()).orElseThrow();
  }

  private ClusterState base() {
    CopyState copy = new CopyState("s1", CopyState.Status.READY, 1, 1);
    ActorState actor = new ActorState(1, "s1", List.of(copy), Commitment.NONE, List.of("s1"));
    TreeMap<Long, TableState> states = new TreeMap<>();
    TreeMap<String, Long> numbers = new TreeMap<>();
    tables.forEach(
        (name, table) -> {
          long number = states.size() + 1L;
          numbers.put(name, number);
          states.put(
              number,
              new TableState(
                  number,
                  table.definition(),
                  Optional.empty(),
                  Commitment.NONE,
                  Collections.nCopies(table.definition().actors(), actor)));
        });
    return new ClusterState(
        "test",
        1,
        List.of(),
        new TreeMap<>(Map.of("s1", new ServerState("s1", new Address("localhost:7001"), 1, true))),
        states,
        numbers,
        false);
  }

  void load(List<Map<String, Object>> rows) {
    tables
        .get(definition.name())
        .update(Batch.of(new AppendRows(), new OlapPlanner().records(definition, rows)));
  }

  @Override
  public <R> R query(Plan<R> plan, QueryOptions options) {
    return LocalPlans.on(tables.values().toArray(LocalTable<?>[]::new)).run(plan);
  }

  @Override
  public Scan scan(ScanPlan plan, ScanOptions options) {
    return new LocalScan(tables.get(definition.name()), plan);
  }

  @Override
  public <R extends PartitionedRecord> UpdateReceipt update(
      String name,
      UpdateFunction<?, R> function,
      List<? extends R> records,
      UpdateOptions options) {
    apply(
        options, List.of(name, function, List.copyOf(records)), name, Batch.of(function, records));
    return new UpdateReceipt(new TreeMap<>(), 0);
  }

  private void apply(UpdateOptions options, Object update, String name, Batch batch) {
    if (options.idempotencyKey().isEmpty()) {
      tables.get(name).update(batch);
      return;
    }
    Object former = applied.putIfAbsent(options.idempotencyKey().get(), update);
    if (former == null) {
      tables.get(name).update(batch);
    } else if (!former.equals(update)) {
      throw UniserveException.invalid("another update had this key: " + former);
    }
  }

  @Override
  public UpdateReceipt updateAll(
      String name, UpdateFunction<?, ?> function, UpdateOptions options) {
    apply(options, List.of(name, function), name, Batch.ofAllActors(function));
    return new UpdateReceipt(new TreeMap<>(), 0);
  }

  @Override
  public void requireWrite(String name) {}

  @Override
  public ClusterState state() {
    return streams.in(base());
  }

  @Override
  public ClusterAdmin admin() {
    return streams.admin(base());
  }

  @Override
  public Optional<TableState> table(String name) {
    return state().table(name);
  }

  @Override
  public void requireRead(String name) {}

  @Override
  public OrderedSession session(String name, SessionOptions options) {
    throw new UnsupportedOperationException("no test here has a session");
  }

  @Override
  public void close() {
    tables.values().forEach(LocalTable::close);
  }
}
