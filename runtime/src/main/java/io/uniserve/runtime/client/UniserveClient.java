package io.uniserve.runtime.client;

import io.uniserve.api.PartitionedRecord;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A client of one cluster. Safe for use by many threads; every method but {@link #state} may wait,
 * within the deadline given. Failures are {@link io.uniserve.api.UniserveException}s.
 */
public interface UniserveClient extends AutoCloseable {

  /**
   * Runs a plan: every addressed actor is counted exactly once, or the query fails.
   *
   * @throws io.uniserve.api.UniserveException with {@link io.uniserve.api.ErrorCode#UNAVAILABLE}
   *     naming an actor that no copy could answer for; {@link
   *     io.uniserve.api.ErrorCode#UNSUPPORTED} for a plan that this version does not run
   */
  <R> R query(Plan<R> plan, QueryOptions options);

  /**
   * Sends each record to its actor. Actors are updated in parallel, each atomically, all of them
   * not (DPA §4.3).
   */
  <R extends PartitionedRecord> UpdateReceipt update(
      String table,
      UpdateFunction<?, R> function,
      List<? extends R> records,
      UpdateOptions options);

  /** Runs an update without records on every actor of a table. */
  UpdateReceipt updateAll(String table, UpdateFunction<?, ?> function, UpdateOptions options);

  /** Creates a table and waits until all its copies can be read. */
  TableState createTable(TableDefinition definition, Duration timeout);

  /** Drops a table and all its data. */
  void dropTable(String name, Duration timeout);

  /**
   * What this client has seen and written of tables whose reads are of one version: a query with
   * it, of any client, sees no less.
   */
  Token token();

  /** The newest cluster state that has reached this client. */
  ClusterState state();

  /** The table of this name, as of {@link #state}. */
  default Optional<TableState> table(String name) {
    return state().table(name);
  }

  /**
   * Tells every later change of cluster state, in order, until the returned handle is closed. The
   * listener must not wait.
   */
  Subscription onChange(ChangeListener listener);

  /**
   * What the servers tell of themselves now, by name. A server that does not answer within the
   * timeout is left out.
   */
  List<ServerStatus> statuses(Duration timeout);

  /**
   * The planner of a table's engine.
   *
   * @throws io.uniserve.api.UniserveException with {@link io.uniserve.api.ErrorCode#UNSUPPORTED} if
   *     it has none
   */
  Planner planner(TableDefinition table);

  @Override
  void close();

  /** Hears of changes of cluster state. */
  @FunctionalInterface
  interface ChangeListener {
    /**
     * One change. Must not wait.
     *
     * @param state the state after it
     * @param record what changed
     */
    void changed(ClusterState state, ControlRecord record);
  }

  /** A listener's registration. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
