package io.uniserve.runtime.client.cluster;

import io.uniserve.api.ActorId;
import io.uniserve.api.Engine;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.ControllerAdmin;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Restore;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.client.context.Hedging;
import io.uniserve.runtime.client.context.RandomNames;
import io.uniserve.runtime.client.context.SeenVersions;
import io.uniserve.runtime.client.context.ServerLoad;
import io.uniserve.runtime.client.context.StateChanges;
import io.uniserve.runtime.client.load.QueryReports;
import io.uniserve.runtime.client.load.QuerySets;
import io.uniserve.runtime.client.plan.Explained;
import io.uniserve.runtime.client.plan.PlanText;
import io.uniserve.runtime.client.run.Attempts;
import io.uniserve.runtime.client.run.CoverageCount;
import io.uniserve.runtime.client.run.PlanRun;
import io.uniserve.runtime.client.run.ProfileList;
import io.uniserve.runtime.client.run.RedefineRun;
import io.uniserve.runtime.client.tables.BackupCalls;
import io.uniserve.runtime.client.tables.NewTables;
import io.uniserve.runtime.client.tables.PlacementCalls;
import io.uniserve.runtime.client.tables.ServerStatuses;
import io.uniserve.runtime.client.tables.SplitCall;
import io.uniserve.runtime.client.update.UpdateRun;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.ControlMessage;
import io.uniserve.runtime.wire.ControlMessage.AskScaling;
import io.uniserve.runtime.wire.ControlMessage.CancelMove;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.ControlMessage.CreateTable;
import io.uniserve.runtime.wire.ControlMessage.Drain;
import io.uniserve.runtime.wire.ControlMessage.DropTable;
import io.uniserve.runtime.wire.ControlMessage.MergeActor;
import io.uniserve.runtime.wire.ControlMessage.MoveActor;
import io.uniserve.runtime.wire.ControlMessage.PausePlacement;
import io.uniserve.runtime.wire.ControlMessage.PinActor;
import io.uniserve.runtime.wire.ControlMessage.RecoverTable;
import io.uniserve.runtime.wire.ControlMessage.Scaling;
import io.uniserve.runtime.wire.ControlMessage.SetScaling;
import io.uniserve.runtime.wire.ControlMessage.SplitActor;
import io.uniserve.runtime.wire.LoadMessage.AskLoad;
import io.uniserve.runtime.wire.LoadMessage.Load;
import io.uniserve.runtime.wire.PlacementMessage.PlacementDecided;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import io.uniserve.runtime.wire.cluster.StateListener;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client that follows the control log. */
public final class ClusterClient implements UniserveClient {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterClient.class);

  private final Environment environment;
  private final Controllers controllers;
  private final Engines engines;
  private final StateSubscription subscription;
  private final StateChanges changes = new StateChanges();
  private final ClientContext context;
  private final BackupCalls backups;
  private final NewTables tables;
  private final QueryReports queryReports;
  private final List<ChangeListener> listeners = new CopyOnWriteArrayList<>();

  /**
   * Begins to follow the control log.
   *
   * @param configured the addresses of controllers
   */
  public ClusterClient(
      Environment environment, List<Address> configured, Engines engines, ClientSettings settings) {
    this.environment = environment;
    this.controllers = new Controllers(environment, configured);
    this.engines = engines;
    this.subscription = new StateSubscription(environment, controllers, new Listener());
    this.context =
        new ClientContext(
            environment,
            controllers,
            engines,
            subscription,
            changes,
            new SeenVersions(),
            new ServerLoad(),
            new QuerySets(environment.clock(), settings.load()),
            new Hedging(settings.hedging()),
            settings);
    this.backups = new BackupCalls(context);
    this.tables = new NewTables(context);
    this.queryReports =
        new QueryReports(
            environment,
            controllers,
            context.sets(),
            settings.load(),
            RandomNames.next(environment));
    subscription.start();
    queryReports.start();
  }

  private final class Listener implements StateListener {
    @Override
    public void changed(ClusterState state, ControlRecord record) {
      changes.tell();
      for (ChangeListener listener : listeners) {
        try {
          listener.changed(state, record);
        } catch (RuntimeException e) {
          LOG.error("a listener failed at version {}", state.version(), e);
        }
      }
    }

    @Override
    public void reloaded(ClusterState state) {
      changes.tell();
    }
  }

  @Override
  public <R> R query(Plan<R> plan, QueryOptions options) {
    return new Attempts(context, options)
        .run(
            (deadline, versions, changes) ->
                new PlanRun(
                        context,
                        changes,
                        Optional.empty(),
                        Optional.empty(),
                        options.readOnly(),
                        options.key())
                    .run(plan, deadline, versions));
  }

  @Override
  public <R> PartialAnswer<R> queryPartially(Plan<R> plan, QueryOptions options) {
    return new Attempts(context, options)
        .run(
            (deadline, versions, changes) -> {
              CoverageCount coverage = new CoverageCount();
              R result =
                  new PlanRun(
                          context,
                          changes,
                          Optional.of(coverage),
                          Optional.empty(),
                          true,
                          Optional.empty())
                      .run(plan, deadline, versions);
              return new PartialAnswer<>(result, coverage.coverage());
            });
  }

  @Override
  public String explain(Plan<?> plan) {
    return PlanText.of(plan, state());
  }

  @Override
  public <R> Explained<R> queryExplained(Plan<R> plan, QueryOptions options) {
    return new Attempts(context, options)
        .run(
            (deadline, versions, changes) -> {
              ProfileList profiles = new ProfileList();
              R result =
                  new PlanRun(
                          context,
                          changes,
                          Optional.empty(),
                          Optional.of(profiles),
                          options.readOnly(),
                          options.key())
                      .run(plan, deadline, versions);
              return new Explained<>(result, profiles.all());
            });
  }

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
  public TableState createTable(TableDefinition definition, Duration timeout) {
    return tables.create(
        new CreateTable(definition, Optional.empty()),
        Deadline.after(environment.clock(), timeout));
  }

  @Override
  public void dropTable(String name, Duration timeout) {
    change(new DropTable(name), timeout, "the end of table '" + name + "'");
  }

  @Override
  public ClusterState move(String table, int actor, String from, String to, Duration timeout) {
    String what = "the move of actor " + actor + " of table '" + table + "'";
    return change(new MoveActor(table, actor, from, to), timeout, what);
  }

  @Override
  public ClusterState cancelMove(String table, int actor, Duration timeout) {
    String what = "the end of the move of actor " + actor + " of table '" + table + "'";
    return change(new CancelMove(table, actor), timeout, what);
  }

  @Override
  public ClusterState drain(String server, boolean draining, Duration timeout) {
    return change(new Drain(server, draining), timeout, "the draining of server " + server);
  }

  @Override
  public ClusterState scale(ScalingSettings settings, Duration timeout) {
    return change(new SetScaling(settings), timeout, "the size of the cluster");
  }

  @Override
  public Scaling scaling(Duration timeout) {
    Deadline deadline = Deadline.after(environment.clock(), timeout);
    return controllers.ask(new AskScaling(), Scaling.class, deadline);
  }

  /** Asks the coordinator, and waits until this client knows the result. */
  private ClusterState change(ControlMessage request, Duration timeout, String what) {
    Deadline deadline = Deadline.after(environment.clock(), timeout);
    Changed changed = controllers.submit(request, Changed.class, deadline);
    return subscription.await(state -> state.version() >= changed.version(), deadline, what);
  }

  @Override
  public Token token() {
    return context.seen().token().of(state().tables().keySet());
  }

  @Override
  public SortedMap<ActorId, Position> backUp(String table, Duration timeout) {
    Deadline deadline = Deadline.after(environment.clock(), timeout);
    return backups.backUp(context.requireTable(table, deadline), deadline);
  }

  @Override
  public List<StoredTable> storedTables(Duration timeout) {
    return backups.stored(Deadline.after(environment.clock(), timeout));
  }

  @Override
  public List<TableState> restore(Restore restore, Duration timeout) {
    Deadline deadline = Deadline.after(environment.clock(), timeout);
    return backups.plan(restore, deadline).stream()
        .map(
            table ->
                tables.create(
                    new CreateTable(table.definition(), Optional.of(table.origin())), deadline))
        .map(table -> settled(table, deadline))
        .toList();
  }

  /**
   * Returns a restored table once its definition is settled, which may have changed since it was
   * created.
   */
  private TableState settled(TableState restored, Deadline deadline) {
    TableDefinition definition = restored.definition();
    return engines.engine(definition.engine()).redefinition().isEmpty()
        ? restored
        : new RedefineRun(context, definition.name(), deadline).settled();
  }

  @Override
  public TableState recover(String table, Duration timeout) {
    Deadline deadline = Deadline.after(environment.clock(), timeout);
    Changed changed = controllers.submit(new RecoverTable(table), Changed.class, deadline);
    return settled(
        tables.await(changed, deadline, "table '" + table + "' to be recovered"), deadline);
  }

  @Override
  public ClusterState state() {
    return subscription.state();
  }

  @Override
  public Optional<TableState> table(String name) {
    return context.table(name, Deadline.after(environment.clock(), context.settings().patience()));
  }

  @Override
  public Subscription onChange(ChangeListener listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  @Override
  public List<ServerStatus> statuses(Duration timeout) {
    return new ServerStatuses(context).ask(Deadline.after(environment.clock(), timeout));
  }

  @Override
  public Planner planner(TableDefinition table) {
    Engine<?> engine = engines.engine(table.engine());
    return engine
        .planner()
        .orElseThrow(
            () ->
                new UniserveException(
                    ErrorCode.UNSUPPORTED,
                    "engine '" + engine.name() + "' has no query language of its own"));
  }

  @Override
  public ControllerAdmin controllers() {
    return new ControllerAdmin(environment, controllers);
  }

  @Override
  public PlacementDecided decidePlacement(
      Optional<String> policy, boolean apply, Duration timeout) {
    return new PlacementCalls(environment, controllers)
        .decide(policy, apply, Deadline.after(environment.clock(), timeout));
  }

  @Override
  public ClusterState pin(
      String table, int actor, String server, boolean pinned, Duration timeout) {
    String what = "the pin of actor " + actor + " of table '" + table + "'";
    return change(new PinActor(table, actor, server, pinned), timeout, what);
  }

  @Override
  public ClusterState split(String table, int actor, Optional<PartitionKey> at, Duration timeout) {
    Deadline deadline = Deadline.after(environment.clock(), timeout);
    return new SplitCall(controllers, subscription)
        .split(new SplitActor(table, actor, at), deadline);
  }

  @Override
  public ClusterState merge(String table, int actor, Optional<Integer> with, Duration timeout) {
    Deadline deadline = Deadline.after(environment.clock(), timeout);
    return new SplitCall(controllers, subscription)
        .merge(new MergeActor(table, actor, with), deadline);
  }

  @Override
  public ClusterState pausePlacement(boolean paused, Duration timeout) {
    return change(new PausePlacement(paused), timeout, "the pause of placement");
  }

  @Override
  public Load load(Duration timeout) {
    return controllers.ask(new AskLoad(), Load.class, Deadline.after(environment.clock(), timeout));
  }

  @Override
  public void close() {
    queryReports.close();
    subscription.close();
  }
}
