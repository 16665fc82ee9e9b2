package io.uniserve.node.http.metrics;

import io.uniserve.api.ActorId;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.ControllerAdmin;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.client.plan.Explained;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.ControlMessage.Scaling;
import io.uniserve.runtime.wire.LoadMessage.Load;
import io.uniserve.runtime.wire.PlacementMessage.PlacementDecided;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * A client that counts and times the requests that pass through it. To close it does not close the
 * other.
 */
public final class MeteredClient implements UniserveClient {
  private final UniserveClient client;
  private final RequestMetrics metrics;

  public MeteredClient(UniserveClient client, RequestMetrics metrics) {
    this.client = client;
    this.metrics = metrics;
  }

  @Override
  public <R> R query(Plan<R> plan, QueryOptions options) {
    return query(plan, () -> client.query(plan, options));
  }

  @Override
  public <R> PartialAnswer<R> queryPartially(Plan<R> plan, QueryOptions options) {
    return query(plan, () -> client.queryPartially(plan, options));
  }

  @Override
  public String explain(Plan<?> plan) {
    return client.explain(plan);
  }

  @Override
  public <R> Explained<R> queryExplained(Plan<R> plan, QueryOptions options) {
    return query(plan, () -> client.queryExplained(plan, options));
  }

  /**
   * Returns the name for figures. Existing tables have figures of their own; other names, which
   * anybody can make up, share theirs.
   */
  private String known(String table) {
    return client.state().table(table).isPresent() ? table : "(none)";
  }

  /** Returns the table that a plan is about: the one that it reads first. */
  private static String tableOf(Plan<?> plan) {
    return switch (plan) {
      case Plan.Query<?, ?> query -> tableOf(query.source());
      case Plan.Known<?> known -> "";
      case Plan.Computed<?> computed -> "";
      case Plan.Update update -> update.table();
      case Plan.Redefine redefine -> redefine.table();
      case Plan.Measured<?, ?> measured -> tableOf(measured.plan());
      case Plan.Keep keep -> keep.table().name();
      case Plan.Nested<?> nested ->
          nested.subqueries().isEmpty() ? "" : tableOf(nested.subqueries().getFirst());
    };
  }

  private static String tableOf(Source root) {
    Source source = root;
    while (true) {
      switch (source) {
        case Source.Table table -> {
          return table.name();
        }
        case Source.Mapped mapped -> source = mapped.input();
        case Source.Gathered gathered -> source = gathered.inputs().getFirst().input();
      }
    }
  }

  @Override
  public <R extends PartitionedRecord> UpdateReceipt update(
      String table,
      UpdateFunction<?, R> function,
      List<? extends R> records,
      UpdateOptions options) {
    UpdateReceipt receipt = update(table, () -> client.update(table, function, records, options));
    metrics.stored(known(table), records.size());
    return receipt;
  }

  @Override
  public UpdateReceipt updateAll(
      String table, UpdateFunction<?, ?> function, UpdateOptions options) {
    return update(table, () -> client.updateAll(table, function, options));
  }

  private <T> T query(Plan<?> plan, Supplier<T> work) {
    String table = tableOf(plan);
    return explained(table, () -> timed(metrics.queries(known(table)), work));
  }

  private <T> T update(String table, Supplier<T> work) {
    return explained(table, () -> timed(metrics.updates(known(table)), work));
  }

  private <T> T explained(String table, Supplier<T> work) {
    try {
      return work.get();
    } catch (UniserveException e) {
      throw new Unanswered(client).explained(e, table);
    }
  }

  private static <T> T timed(RequestMetrics.Timed timed, Supplier<T> work) {
    long started = System.nanoTime();
    boolean succeeded = false;
    try {
      T result = work.get();
      succeeded = true;
      return result;
    } finally {
      timed.record(System.nanoTime() - started, succeeded);
    }
  }

  @Override
  public TableState createTable(TableDefinition definition, Duration timeout) {
    return client.createTable(definition, timeout);
  }

  @Override
  public void dropTable(String name, Duration timeout) {
    client.dropTable(name, timeout);
    metrics.forget(name);
  }

  @Override
  public Token token() {
    return client.token();
  }

  @Override
  public TableState recover(String table, Duration timeout) {
    return client.recover(table, timeout);
  }

  @Override
  public SortedMap<ActorId, Position> backUp(String table, Duration timeout) {
    return client.backUp(table, timeout);
  }

  @Override
  public List<StoredTable> storedTables(Duration timeout) {
    return client.storedTables(timeout);
  }

  @Override
  public List<TableState> restore(Restore restore, Duration timeout) {
    return client.restore(restore, timeout);
  }

  @Override
  public ClusterState move(String table, int actor, String from, String to, Duration timeout) {
    return client.move(table, actor, from, to, timeout);
  }

  @Override
  public ClusterState cancelMove(String table, int actor, Duration timeout) {
    return client.cancelMove(table, actor, timeout);
  }

  @Override
  public ClusterState drain(String server, boolean draining, Duration timeout) {
    return client.drain(server, draining, timeout);
  }

  @Override
  public ClusterState scale(ScalingSettings settings, Duration timeout) {
    return client.scale(settings, timeout);
  }

  @Override
  public Scaling scaling(Duration timeout) {
    return client.scaling(timeout);
  }

  @Override
  public ClusterState state() {
    return client.state();
  }

  @Override
  public Optional<TableState> table(String name) {
    return client.table(name);
  }

  @Override
  public Subscription onChange(ChangeListener listener) {
    return client.onChange(listener);
  }

  @Override
  public List<ServerStatus> statuses(Duration timeout) {
    return client.statuses(timeout);
  }

  @Override
  public Planner planner(TableDefinition table) {
    return client.planner(table);
  }

  @Override
  public PlacementDecided decidePlacement(
      Optional<String> policy, boolean apply, Duration timeout) {
    return client.decidePlacement(policy, apply, timeout);
  }

  @Override
  public ClusterState pin(
      String table, int actor, String server, boolean pinned, Duration timeout) {
    return client.pin(table, actor, server, pinned, timeout);
  }

  @Override
  public ClusterState split(String table, int actor, Optional<PartitionKey> at, Duration timeout) {
    return client.split(table, actor, at, timeout);
  }

  @Override
  public ClusterState merge(String table, int actor, Optional<Integer> with, Duration timeout) {
    return client.merge(table, actor, with, timeout);
  }

  @Override
  public ClusterState pausePlacement(boolean paused, Duration timeout) {
    return client.pausePlacement(paused, timeout);
  }

  @Override
  public Load load(Duration timeout) {
    return client.load(timeout);
  }

  @Override
  public ControllerAdmin controllers() {
    return client.controllers();
  }

  @Override
  public void close() {
    // the owner of the other client closes it
  }
}
