package io.uniserve.runtime.client.context;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.load.QuerySets;
import io.uniserve.runtime.wire.ControlMessage.AskVersion;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerCalls;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.subscription.Routers;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.util.Optional;

/**
 * What the parts of a client share.
 *
 * @param environment of its process
 * @param routers those that decide
 * @param engines of its process
 * @param subscription its copy of cluster state
 * @param changes hear of every change of cluster state
 * @param seen what it has seen and written of tables whose reads are of one version
 * @param load what it has under way on each server
 * @param sets counts what its queries read together
 * @param hedging when it asks a second copy
 * @param settings how it works
 */
public record ClientContext(
    Environment environment,
    Routers routers,
    Engines engines,
    StateSubscription subscription,
    StateChanges changes,
    SeenVersions seen,
    ServerLoad load,
    QuerySets sets,
    Hedging hedging,
    ClientSettings settings) {
  /** Calls to servers. */
  public ServerCalls calls() {
    return subscription.calls();
  }

  public ClusterState state() {
    return subscription.state();
  }

  /**
   * The table of this name. A state that lacks it may be an old one, so the router that decides is
   * asked before it is said that there is none.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} or {@link
   *     ErrorCode#DEADLINE_EXCEEDED} if that cannot be found out before the deadline
   */
  public Optional<TableState> table(String name, Deadline deadline) {
    Optional<TableState> known = state().table(name);
    return known.isPresent() ? known : newest(deadline).table(name);
  }

  /**
   * The same table, which must be there.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}; or as {@link #table}
   */
  public TableState requireTable(String name, Deadline deadline) {
    Optional<TableState> known = state().table(name);
    return known.isPresent() ? known.get() : newest(deadline).requireTable(name);
  }

  /**
   * The same table as the router that decides knows it.
   *
   * @throws UniserveException as {@link #requireTable}
   */
  public TableState requireNewest(String name, Deadline deadline) {
    return newest(deadline).requireTable(name);
  }

  private ClusterState newest(Deadline deadline) {
    long version = routers.ask(new AskVersion(), Changed.class, deadline).version();
    return subscription.await(
        state -> state.version() >= version, deadline, "cluster state of version " + version);
  }
}
