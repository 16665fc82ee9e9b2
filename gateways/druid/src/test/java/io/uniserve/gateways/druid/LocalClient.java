package io.uniserve.gateways.druid;

import io.uniserve.api.Plan;
import io.uniserve.api.ScanPlan;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
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
import io.uniserve.testkit.local.LocalTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A client of one table whose actors are in this process. */
final class LocalClient extends RefusingClient {
  private final LocalTable<OlapActor> table;
  private final TableDefinition definition;
  private final ClusterState state;
  final LocalStreams streams = new LocalStreams();

  LocalClient(TableDefinition definition, Path directory) {
    this.definition = definition;
    try {
      table = LocalTable.create(new OlapEngine(), definition, directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    CopyState copy = new CopyState("s1", CopyState.Status.READY, 1, 1);
    ActorState actor = new ActorState(1, "s1", List.of(copy), Commitment.NONE, List.of("s1"));
    state =
        new ClusterState(
            "test",
            1,
            List.of(),
            new TreeMap<>(
                Map.of("s1", new ServerState("s1", new Address("localhost:7001"), 1, true))),
            new TreeMap<>(
                Map.of(
                    1L,
                    new TableState(
                        1,
                        definition,
                        Optional.empty(),
                        Commitment.NONE,
                        Collections.nCopies(definition.actors(), actor)))),
            new TreeMap<>(Map.of(definition.name(), 1L)),
            false);
  }

  void load(List<Map<String, Object>> rows) {
    table.update(Batch.of(new AppendRows(), new OlapPlanner().records(definition, rows)));
  }

  @Override
  public <R> R query(Plan<R> plan, QueryOptions options) {
    return table.query(plan);
  }

  @Override
  public Scan scan(ScanPlan plan, ScanOptions options) {
    return new LocalScan(table, plan);
  }

  @Override
  public <R extends PartitionedRecord> UpdateReceipt update(
      String name,
      UpdateFunction<?, R> function,
      List<? extends R> records,
      UpdateOptions options) {
    table.update(Batch.of(function, records));
    return new UpdateReceipt(new TreeMap<>(), 0);
  }

  @Override
  public UpdateReceipt updateAll(
      String name, UpdateFunction<?, ?> function, UpdateOptions options) {
    table.updateAll(function);
    return new UpdateReceipt(new TreeMap<>(), 0);
  }

  @Override
  public void requireWrite(String name) {}

  @Override
  public ClusterState state() {
    return streams.in(state);
  }

  @Override
  public ClusterAdmin admin() {
    return streams.admin(state);
  }

  @Override
  public Optional<TableState> table(String name) {
    return state.table(name);
  }

  @Override
  public void requireRead(String name) {}

  @Override
  public OrderedSession session(String name, SessionOptions options) {
    throw new UnsupportedOperationException("no test here has a session");
  }

  @Override
  public void close() {
    table.close();
  }
}
