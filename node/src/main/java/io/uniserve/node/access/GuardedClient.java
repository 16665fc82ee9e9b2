package io.uniserve.node.access;

import io.uniserve.api.ActorId;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.Source;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
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
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A client that refuses what the caller of the present request may not do. Every surface, future
 * gateways included, gets the cluster through it, so none can forget the check. To close it does
 * not close the other.
 */
public final class GuardedClient implements UniserveClient {
  private final UniserveClient client;

  /** Guards a client. */
  public GuardedClient(UniserveClient client) {
    this.client = client;
  }

  @Override
  public <R> R query(Plan<R> plan, QueryOptions options) {
    return client.query(allowed(plan, Caller.current()), options);
  }

  @Override
  public <R> PartialAnswer<R> queryPartially(Plan<R> plan, QueryOptions options) {
    return client.queryPartially(allowed(plan, Caller.current()), options);
  }

  @Override
  public String explain(Plan<?> plan) {
    return client.explain(allowed(plan, Caller.current()));
  }

  @Override
  public <R> Explained<R> queryExplained(Plan<R> plan, QueryOptions options) {
    return client.queryExplained(allowed(plan, Caller.current()), options);
  }

  /** Returns the same plan, whose later parts are checked once they are known. */
  private static <R> Plan<R> allowed(Plan<R> plan, Caller caller) {
    return switch (plan) {
      case Plan.Query<?, R> query -> {
        requireRead(query.source(), caller);
        yield query;
      }
      case Plan.Known<R> known -> known;
      case Plan.Computed<R> computed -> computed;
      case Plan.Update update -> {
        requireUpdate(update.table(), update.function(), caller);
        yield plan;
      }
      case Plan.Redefine redefine -> {
        caller.requireWrite(redefine.table());
        yield plan;
      }
      case Plan.Measured<?, R> measured -> allowed(measured, caller);
      case Plan.Keep keep -> {
        requireRead(keep.source(), caller);
        caller.requireAdmin("create table '" + keep.table().name() + "'");
        yield plan;
      }
      case Plan.Nested<R> nested ->
          new Plan.Nested<>(
              nested.subqueries().stream().<Plan<?>>map(each -> allowed(each, caller)).toList(),
              answers -> allowed(nested.next().apply(answers), caller));
    };
  }

  private static <I, R> Plan<R> allowed(Plan.Measured<I, R> measured, Caller caller) {
    return new Plan.Measured<>(allowed(measured.plan(), caller), measured.answer());
  }

  private static void requireUpdate(String table, UpdateFunction<?, ?> function, Caller caller) {
    caller.requireWrite(table);
    if (function.reads()) {
      caller.requireRead(table);
    }
  }

  /**
   * Checks each source once, and without recursion: plans may be of any depth, and read a source
   * twice.
   */
  private static void requireRead(Source root, Caller caller) {
    Set<Source> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<Source> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      Source source = open.pop();
      if (seen.add(source)) {
        switch (source) {
          case Source.Table table -> caller.requireRead(table.name());
          case Source.Mapped mapped -> open.push(mapped.input());
          case Source.Gathered gathered -> {
            gathered.inputs().forEach(input -> open.push(input.input()));
            gathered.anchor().ifPresent(open::push);
          }
        }
      }
    }
  }

  @Override
  public void requireRead(String table) {
    Caller.current().requireRead(table);
  }

  @Override
  public void requireWrite(String table) {
    Caller.current().requireWrite(table);
  }

  @Override
  public <R extends PartitionedRecord> UpdateReceipt update(
      String table,
      UpdateFunction<?, R> function,
      List<? extends R> records,
      UpdateOptions options) {
    requireUpdate(table, function, Caller.current());
    return client.update(table, function, records, options);
  }

  @Override
  public UpdateReceipt updateAll(
      String table, UpdateFunction<?, ?> function, UpdateOptions options) {
    requireUpdate(table, function, Caller.current());
    return client.updateAll(table, function, options);
  }

  @Override
  public TableState createTable(TableDefinition definition, Duration timeout) {
    Caller.current().requireAdmin("create table '" + definition.name() + "'");
    return client.createTable(definition, timeout);
  }

  @Override
  public void dropTable(String name, Duration timeout) {
    Caller.current().requireAdmin("drop table '" + name + "'");
    client.dropTable(name, timeout);
  }

  @Override
  public Token token() {
    return client.token();
  }

  @Override
  public SortedMap<ActorId, Position> backUp(String table, Duration timeout) {
    Caller.current().requireAdmin("back up table '" + table + "'");
    return client.backUp(table, timeout);
  }

  @Override
  public TableState recover(String table, Duration timeout) {
    Caller.current().requireAdmin("recover table '" + table + "'");
    return client.recover(table, timeout);
  }

  @Override
  public List<StoredTable> storedTables(Duration timeout) {
    Caller.current().requireWholeCluster();
    return client.storedTables(timeout);
  }

  /**
   * Restores tables. The store may have dropped tables, and those of other clusters, so this needs
   * the right to administer.
   */
  @Override
  public List<TableState> restore(Restore restore, Duration timeout) {
    Caller.current().requireAdmin("restore " + restore.tables());
    return client.restore(restore, timeout);
  }

  @Override
  public ClusterState move(String table, int actor, String from, String to, Duration timeout) {
    Caller.current().requireAdmin("move actors of table '" + table + "'");
    return client.move(table, actor, from, to, timeout);
  }

  @Override
  public ClusterState cancelMove(String table, int actor, Duration timeout) {
    Caller.current().requireAdmin("cancel moves of table '" + table + "'");
    return client.cancelMove(table, actor, timeout);
  }

  @Override
  public ClusterState drain(String server, boolean draining, Duration timeout) {
    Caller.current().requireAdmin("drain server '" + server + "'");
    return client.drain(server, draining, timeout);
  }

  @Override
  public ClusterState scale(ScalingSettings settings, Duration timeout) {
    Caller.current().requireAdmin("say how the cluster follows its load");
    return client.scale(settings, timeout);
  }

  @Override
  public Scaling scaling(Duration timeout) {
    Caller.current().requireWholeCluster();
    return client.scaling(timeout);
  }

  /** Returns the state without the tables that the caller may not know. */
  @Override
  public ClusterState state() {
    Rights rights = Caller.current().rights();
    ClusterState state = client.state();
    if (rights.mayReadAll()) {
      return state;
    }
    var ids = new TreeMap<>(state.tableIds());
    ids.keySet().removeIf(name -> !rights.mayKnow(name));
    var tables = new TreeMap<>(state.tables());
    tables.keySet().retainAll(ids.values());
    return new ClusterState(
        state.cluster(),
        state.version(),
        state.controllers(),
        state.servers(),
        tables,
        ids,
        state.placementPaused(),
        state.scaling(),
        state.owners());
  }

  /** Returns a table; refuses whether or not there is such a table. */
  @Override
  public Optional<TableState> table(String name) {
    Caller.current().requireKnowledge(name);
    return client.table(name);
  }

  @Override
  public Subscription onChange(ChangeListener listener) {
    Caller.current().requireWholeCluster();
    return client.onChange(listener);
  }

  @Override
  public List<ServerStatus> statuses(Duration timeout) {
    Caller.current().requireWholeCluster();
    return client.statuses(timeout);
  }

  @Override
  public PlacementDecided decidePlacement(
      Optional<String> policy, boolean apply, Duration timeout) {
    Caller.current().requireAdmin("place actors");
    return client.decidePlacement(policy, apply, timeout);
  }

  @Override
  public ClusterState pin(
      String table, int actor, String server, boolean pinned, Duration timeout) {
    Caller.current().requireAdmin("pin actors of table '" + table + "'");
    return client.pin(table, actor, server, pinned, timeout);
  }

  @Override
  public ClusterState split(String table, int actor, Optional<PartitionKey> at, Duration timeout) {
    Caller.current().requireAdmin("split actors of table '" + table + "'");
    return client.split(table, actor, at, timeout);
  }

  @Override
  public ClusterState merge(String table, int actor, Optional<Integer> with, Duration timeout) {
    Caller.current().requireAdmin("merge actors of table '" + table + "'");
    return client.merge(table, actor, with, timeout);
  }

  @Override
  public ClusterState pausePlacement(boolean paused, Duration timeout) {
    Caller.current().requireAdmin("pause placement");
    return client.pausePlacement(paused, timeout);
  }

  @Override
  public Load load(Duration timeout) {
    Caller.current().requireWholeCluster();
    return client.load(timeout);
  }

  @Override
  public ControllerAdmin controllers() {
    Caller.current().requireAdmin("look at or change the controllers");
    return client.controllers();
  }

  /** Returns the planner, which reads and changes nothing. */
  @Override
  public Planner planner(TableDefinition table) {
    return client.planner(table);
  }

  @Override
  public void close() {
    // the owner of the other client closes it
  }
}
