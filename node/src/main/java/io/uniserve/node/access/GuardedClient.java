package io.uniserve.node.access;

import io.uniserve.runtime.client.Backups;
import io.uniserve.runtime.client.ClusterAdmin;
import io.uniserve.runtime.client.ClusterView;
import io.uniserve.runtime.client.Queries;
import io.uniserve.runtime.client.Tables;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.Updates;

/**
 * A client that refuses what the caller of the present request may not do. Every surface, future
 * gateways included, gets the cluster through it, so none can forget the check. To close it does
 * not close the other.
 */
public final class GuardedClient implements UniserveClient {
  private final Queries queries;
  private final Updates updates;
  private final Tables tables;
  private final Backups backups;
  private final ClusterAdmin admin;
  private final ClusterView view;

  /** Guards a client. */
  public GuardedClient(UniserveClient client) {
    queries = new GuardedQueries(client.queries());
    updates = new GuardedUpdates(client.updates());
    tables = new GuardedTables(client.tables());
    backups = new GuardedBackups(client.backups());
    admin = new GuardedAdmin(client.admin());
    view = new GuardedView(client.view());
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

  @Override
  public void close() {
    // the owner of the other client closes it
  }
}
