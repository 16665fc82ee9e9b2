package io.uniserve.runtime.client;

/**
 * A client that passes everything on to another, except for the parts that a subclass wraps. To
 * close it does not close the other.
 */
public abstract class ForwardingClient implements UniserveClient {
  private final UniserveClient client;

  /** Passes on to a client. */
  protected ForwardingClient(UniserveClient client) {
    this.client = client;
  }

  @Override
  public Queries queries() {
    return client.queries();
  }

  @Override
  public Updates updates() {
    return client.updates();
  }

  @Override
  public Tables tables() {
    return client.tables();
  }

  @Override
  public Backups backups() {
    return client.backups();
  }

  @Override
  public ClusterAdmin admin() {
    return client.admin();
  }

  @Override
  public ClusterView view() {
    return client.view();
  }

  @Override
  public void close() {
    // the owner of the other client closes it
  }
}
