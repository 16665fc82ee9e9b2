package io.uniserve.runtime.client.cluster;

import io.uniserve.kernel.Address;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.Backups;
import io.uniserve.runtime.client.ClusterAdmin;
import io.uniserve.runtime.client.ClusterView;
import io.uniserve.runtime.client.Queries;
import io.uniserve.runtime.client.Tables;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.Updates;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.client.context.ControlChanges;
import io.uniserve.runtime.client.context.Hedging;
import io.uniserve.runtime.client.context.RandomNames;
import io.uniserve.runtime.client.context.SeenVersions;
import io.uniserve.runtime.client.context.ServerLoad;
import io.uniserve.runtime.client.context.StateChanges;
import io.uniserve.runtime.client.group.TransactionGroups;
import io.uniserve.runtime.client.load.QueryReports;
import io.uniserve.runtime.client.load.QuerySets;
import io.uniserve.runtime.client.stream.StreamRunner;
import io.uniserve.runtime.client.stream.StreamSettings;
import io.uniserve.runtime.client.tables.BackupCalls;
import io.uniserve.runtime.client.tables.NewTables;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.SharedMarks;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.util.List;

/** A client that follows the control log. */
public final class ClusterClient implements UniserveClient {
  private final Environment environment;
  private final Controllers controllers;
  private final StateSubscription subscription;
  private final QueryReports queryReports;
  private final Queries queries;
  private final Updates updates;
  private final Tables tables;
  private final Backups backups;
  private final ClusterAdmin admin;
  private final ClusterView view;

  /**
   * Begins to follow the control log.
   *
   * @param configured the addresses of controllers
   */
  public ClusterClient(
      Environment environment, List<Address> configured, Engines engines, ClientSettings settings) {
    this.environment = environment;
    controllers = new Controllers(environment, configured);
    StateChanges stateChanges = new StateChanges();
    ChangeListeners listeners = new ChangeListeners(stateChanges);
    subscription = new StateSubscription(environment, controllers, listeners);
    ClientContext context =
        new ClientContext(
            environment,
            controllers,
            engines,
            subscription,
            stateChanges,
            new SeenVersions(),
            new SharedMarks(environment),
            new ServerLoad(),
            new QuerySets(environment.clock(), settings.load()),
            new Hedging(settings.hedging()),
            new TransactionGroups(environment.clock()),
            settings);
    ControlChanges changes = new ControlChanges(context);
    NewTables newTables = new NewTables(context);
    queries = new ClusterQueries(context);
    updates = new ClusterUpdates(context);
    tables = new ClusterTables(context, newTables, changes);
    backups = new ClusterBackups(context, newTables, new BackupCalls(context));
    admin = new CoordinatorAdmin(context, changes);
    view = new FollowedView(context, listeners);
    queryReports =
        new QueryReports(
            environment,
            controllers,
            context.sets(),
            settings.load(),
            RandomNames.next(environment));
    subscription.start();
    queryReports.start();
  }

  @Override
  public Queries queries() {
    return queries;
  }

  @Override
  public Updates updates() {
    return updates;
  }

  @Override
  public Tables tables() {
    return tables;
  }

  @Override
  public Backups backups() {
    return backups;
  }

  @Override
  public ClusterAdmin admin() {
    return admin;
  }

  @Override
  public ClusterView view() {
    return view;
  }

  /**
   * Makes this process ready to read streams, until the runner is closed.
   *
   * @param process a name of the process, for people
   */
  public StreamRunner readStreams(StreamSettings settings, String process) {
    String name = process + "/" + Long.toHexString(environment.random().nextLong());
    StreamRunner runner = new StreamRunner(environment, controllers, this, settings, name);
    runner.start();
    return runner;
  }

  @Override
  public void close() {
    queryReports.close();
    subscription.close();
  }
}
