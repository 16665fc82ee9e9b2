package io.uniserve.runtime.client.context;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.client.Token;
import io.uniserve.runtime.client.group.TransactionGroups;
import io.uniserve.runtime.client.load.QuerySets;
import io.uniserve.runtime.wire.ControlMessage.AskVersion;
import io.uniserve.runtime.wire.ControlMessage.Changed;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerCalls;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.subscription.Controllers;
import io.uniserve.runtime.wire.subscription.SharedMarks;
import io.uniserve.runtime.wire.subscription.StateSubscription;
import java.util.Optional;

/**
 * The parts that a client's components share.
 *
 * @param environment the environment of its process
 * @param controllers those that decide
 * @param engines the engines of its process
 * @param subscription its copy of cluster state
 * @param changes listeners for every change of cluster state
 * @param seen the versions that it has seen and written, of tables whose reads see a single version
 * @param marks its questions for marks of ordered tables
 * @param load its work under way on each server
 * @param sets counts of actors that its queries read together
 * @param hedging the choice of when to ask a second copy
 * @param groups serializable updates that wait for their turn
 * @param settings the settings of the client
 */
public record ClientContext(
    Environment environment,
    Controllers controllers,
    Engines engines,
    StateSubscription subscription,
    StateChanges changes,
    SeenVersions seen,
    SharedMarks marks,
    ServerLoad load,
    QuerySets sets,
    Hedging hedging,
    TransactionGroups groups,
    ClientSettings settings) {
  /** Returns calls to servers. */
  public ServerCalls calls() {
    return subscription.calls();
  }

  public ClusterState state() {
    return subscription.state();
  }

  /**
   * Returns the table of this name. A state without it may be old, so the controller that decides
   * is asked before the table counts as missing.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} or {@link
   *     ErrorCode#DEADLINE_EXCEEDED} if that cannot be found out before the deadline
   */
  public Optional<TableState> table(String name, Deadline deadline) {
    Optional<TableState> known = state().table(name);
    return known.isPresent() ? known : newest(deadline).table(name);
  }

  /**
   * Returns the table of this name, which must exist.
   *
   * @throws UniserveException with {@link ErrorCode#NOT_FOUND}; or as {@link #table}
   */
  public TableState requireTable(String name, Deadline deadline) {
    Optional<TableState> known = state().table(name);
    return known.isPresent() ? known.get() : newest(deadline).requireTable(name);
  }

  /**
   * Returns the table of this name as the controller that decides knows it.
   *
   * @throws UniserveException as {@link #requireTable}
   */
  public TableState requireNewest(String name, Deadline deadline) {
    return newest(deadline).requireTable(name);
  }

  /**
   * Waits until this client knows of all tables that a token has seen: one of them may have taken
   * the place of another that it knows.
   *
   * @throws UniserveException with {@link ErrorCode#INVALID_ARGUMENT} if there is no such table
   *     yet; or as {@link #requireTable}
   */
  public void await(Token token, Deadline deadline) {
    long table = token.newestTable(); // which is the version since which it exists
    if (state().version() < table && newest(deadline).version() < table) {
      throw UniserveException.invalid(
          "token '" + token + "': this cluster has had no table " + table + " yet");
    }
  }

  private ClusterState newest(Deadline deadline) {
    long version = controllers.ask(new AskVersion(), Changed.class, deadline).version();
    return subscription.await(
        state -> state.version() >= version, deadline, "cluster state of version " + version);
  }
}
