package io.uniserve.testkit.client;

import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.Backups;
import io.uniserve.runtime.client.ClusterAdmin;
import io.uniserve.runtime.client.ClusterView;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.runtime.client.Queries;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.Tables;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.UniserveClient;
import io.uniserve.runtime.client.UpdateOptions;
import io.uniserve.runtime.client.UpdateReceipt;
import io.uniserve.runtime.client.Updates;
import io.uniserve.runtime.client.plan.Explained;
import io.uniserve.runtime.wire.ControlMessage.Scaling;
import io.uniserve.runtime.wire.LoadMessage.Load;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.ring.RingPlacement;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A client that refuses everything with {@link ErrorCode#UNSUPPORTED}. A test's client overrides
 * what it serves. Nothing is guarded, and no version has been seen.
 */
public abstract class RefusingClient
    implements UniserveClient, Queries, Updates, Tables, ClusterView {
  /** Creates a client. */
  protected RefusingClient() {}

  private static UniserveException refused(String what) {
    return new UniserveException(ErrorCode.UNSUPPORTED, "this client of a test " + what);
  }

  /** Returns a part of the client all of whose methods are refused. */
  private static <T> T refusing(Class<T> part, String what) {
    return part.cast(
        Proxy.newProxyInstance(
            part.getClassLoader(),
            new Class<?>[] {part},
            (proxy, method, arguments) -> {
              throw refused(what);
            }));
  }

  @Override
  public final Queries queries() {
    return this;
  }

  @Override
  public final Updates updates() {
    return this;
  }

  @Override
  public final Tables tables() {
    return this;
  }

  @Override
  public final Backups backups() {
    return refusing(Backups.class, "has no durable store");
  }

  @Override
  public ClusterAdmin admin() {
    return refusing(ClusterAdmin.class, "administers nothing");
  }

  @Override
  public final ClusterView view() {
    return this;
  }

  @Override
  public <R> R query(Plan<R> plan, QueryOptions options) {
    throw refused("runs no queries");
  }

  @Override
  public <R> PartialAnswer<R> queryPartially(Plan<R> plan, QueryOptions options) {
    throw refused("runs no queries");
  }

  @Override
  public String explain(Plan<?> plan) {
    throw refused("explains no plans");
  }

  @Override
  public <R> Explained<R> queryExplained(Plan<R> plan, QueryOptions options) {
    throw refused("explains no plans");
  }

  @Override
  public Planner planner(TableDefinition table) {
    throw refused("has no planners");
  }

  @Override
  public Token token() {
    return Token.NONE;
  }

  @Override
  public void requireRead(String table) {
    // nothing is guarded
  }

  @Override
  public void requireWrite(String table) {
    // nothing is guarded
  }

  @Override
  public <R extends PartitionedRecord> UpdateReceipt update(
      String table,
      UpdateFunction<?, R> function,
      List<? extends R> records,
      UpdateOptions options) {
    throw refused("runs no updates");
  }

  @Override
  public UpdateReceipt updateAll(
      String table, UpdateFunction<?, ?> function, UpdateOptions options) {
    throw refused("runs no updates of all actors");
  }

  @Override
  public TableState createTable(TableDefinition definition, Duration timeout) {
    throw refused("creates no tables");
  }

  @Override
  public TableState createTable(TableDefinition definition, RingPlacement ring, Duration timeout) {
    throw refused("creates no tables on rings");
  }

  @Override
  public void dropTable(String name, Duration timeout) {
    throw refused("drops no tables");
  }

  @Override
  public ClusterState state() {
    return ClusterState.EMPTY;
  }

  @Override
  public Optional<TableState> table(String name) {
    return state().table(name);
  }

  @Override
  public Subscription onChange(ChangeListener listener) {
    throw refused("tells of no changes");
  }

  @Override
  public List<ServerStatus> statuses(Duration timeout) {
    return List.of();
  }

  @Override
  public Load load(Duration timeout) {
    throw refused("knows no load");
  }

  @Override
  public Scaling scaling(Duration timeout) {
    throw refused("scales nothing");
  }
}
