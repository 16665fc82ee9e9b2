package io.uniserve.runtime.client;

import io.uniserve.api.ActorId;
import io.uniserve.api.Plan;
import io.uniserve.api.Planner;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UpdateFunction;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.PartitionedRecord;
import io.uniserve.runtime.client.plan.Explained;
import io.uniserve.runtime.wire.BackupMessage.StoredTable;
import io.uniserve.runtime.wire.ControlMessage.Scaling;
import io.uniserve.runtime.wire.LoadMessage.Load;
import io.uniserve.runtime.wire.PlacementMessage.PlacementDecided;
import io.uniserve.runtime.wire.ServerStatus;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ScalingSettings;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A client of one cluster. Safe for use by many threads; every method but {@link #state} may wait,
 * within the deadline given. Failures are {@link io.uniserve.api.error.UniserveException}s.
 */
public interface UniserveClient extends AutoCloseable {

  /**
   * Runs a plan: every addressed actor is counted exactly once, or the query fails.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNAVAILABLE} naming an actor that no copy could answer for;
   *     {@link io.uniserve.api.error.ErrorCode#UNSUPPORTED} for a plan that this version does not
   *     run
   */
  <R> R query(Plan<R> plan, QueryOptions options);

  /**
   * Runs a plan and returns, at the deadline at the latest, the result of the actors that can
   * answer. Each of them is counted exactly once; the others are named in the coverage. A plan that
   * is wrong fails as in {@link #query}; so does one with map, scatter or gather that cannot be
   * answered wholly.
   */
  <R> PartialAnswer<R> queryPartially(Plan<R> plan, QueryOptions options);

  /**
   * Returns a plan as text: its stages, the input of each, and the servers. Nothing is run.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED} if this client has no servers
   */
  default String explain(Plan<?> plan) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client explains no plans");
  }

  /**
   * Runs a plan, and reports time, bytes and cost of each operator on each actor.
   *
   * @throws io.uniserve.api.error.UniserveException as {@link #query} does, and as {@link #explain}
   */
  default <R> Explained<R> queryExplained(Plan<R> plan, QueryOptions options) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client explains no plans");
  }

  /**
   * Requires that the caller may read a table, before any work for it.
   *
   * @throws UniserveException with {@link ErrorCode#FORBIDDEN}; never, if this client guards
   *     nothing
   */
  default void requireRead(String table) {}

  /** Requires that the caller may change the records of a table, before any work for it. */
  default void requireWrite(String table) {}

  /**
   * Sends each record to its actor. Actors are updated in parallel. Each update of an actor is
   * atomic; all of them together are not (DPA §4.3).
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
   * Returns the versions that this client has seen and written, of tables whose reads see a single
   * version. A query with this token, by any client, sees no less.
   */
  Token token();

  /**
   * Brings everything of a table into the durable store, and a checkpoint of every actor, so that a
   * restore of this moment is quick.
   *
   * @return the last position of each actor that the store now has
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if the table has durability {@code NONE}
   */
  SortedMap<ActorId, Position> backUp(String table, Duration timeout);

  /**
   * Recovers a table whose actors have lost their complete copies, accepting the loss, and waits
   * until every copy is readable. Lost actors of an eventual table are loaded from the durable
   * store. A table of another level is loaded as of one state of all its actors, and is another
   * table from then on, with the same name. An actor of which no data is left begins again, empty.
   *
   * @return the table
   * @throws UniserveException with {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if the
   *     table has lost nothing
   */
  TableState recover(String table, Duration timeout);

  /**
   * Returns the tables that the durable store knows, those of other clusters and dropped ones
   * included.
   */
  List<StoredTable> storedTables(Duration timeout);

  /**
   * Creates new tables from the durable store, and waits until all their copies can be read. The
   * idempotency keys of updates that they contain are known to them.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#NOT_FOUND} if the store does not have all that is
   *     requested; {@link io.uniserve.api.error.ErrorCode#ALREADY_EXISTS} if a name is taken
   */
  List<TableState> restore(Restore restore, Duration timeout);

  /**
   * Requests the move of a copy from one server to another, and returns once that is recorded;
   * cluster state tells its progress.
   *
   * @throws io.uniserve.api.error.UniserveException if it is impossible: with {@link
   *     io.uniserve.api.error.ErrorCode#NOT_FOUND} for an actor or server that does not exist,
   *     {@link io.uniserve.api.error.ErrorCode#ALREADY_EXISTS} for an actor that is being moved,
   *     {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} for servers between which it
   *     cannot be moved
   */
  ClusterState move(String table, int actor, String from, String to, Duration timeout);

  /**
   * Cancels the move of an actor, whose copy stays where it was.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#NOT_FOUND} if it is not being moved; {@link
   *     io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if it is too late
   */
  ClusterState cancelMove(String table, int actor, Duration timeout);

  /**
   * Moves all copies of a server away, and gives it no others until that is ended.
   *
   * @param draining false to use the server again
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if the other servers cannot hold its
   *     copies
   */
  ClusterState drain(String server, boolean draining, Duration timeout);

  /**
   * Sets how the cluster follows its load (DPA §4.5).
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED} if it cannot start servers, {@link
   *     io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} for a policy that is not understood
   */
  default ClusterState scale(ScalingSettings settings, Duration timeout) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client scales nothing");
  }

  /** Returns the state of scaling, as the coordinator sees it now. */
  default Scaling scaling(Duration timeout) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client scales nothing");
  }

  /** Returns the newest cluster state that has reached this client. */
  ClusterState state();

  /**
   * Returns the table of this name. It asks further than {@link #state} before a table counts as
   * missing.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNAVAILABLE} or {@link
   *     io.uniserve.api.error.ErrorCode#DEADLINE_EXCEEDED} if that cannot be found out at present
   */
  Optional<TableState> table(String name);

  /**
   * Passes every later change of cluster state on to a listener, in order, until the returned
   * handle is closed. The listener must not wait.
   */
  Subscription onChange(ChangeListener listener);

  /**
   * Returns the present status of the servers, by name. A server that does not answer within the
   * timeout is left out.
   */
  List<ServerStatus> statuses(Duration timeout);

  /**
   * Lets a placement policy decide where actors should be (DPA §4.4), with the load that the
   * coordinator knows.
   *
   * @param policy its name; the cluster's if absent
   * @param apply true if the decision is to be carried out; moves and copies then follow, some at a
   *     time
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#NOT_FOUND} for a policy that the cluster does not have;
   *     {@link io.uniserve.api.error.ErrorCode#INVALID_ARGUMENT} if placement is paused and {@code
   *     apply} is true; the policy's reason if no assignment holds all constraints
   */
  default PlacementDecided decidePlacement(
      Optional<String> policy, boolean apply, Duration timeout) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client knows no placement");
  }

  /**
   * Pins an actor to a server, where policies then keep a copy and nobody removes it; or unpins it.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#NOT_FOUND} for an actor or server that does not exist
   */
  default ClusterState pin(
      String table, int actor, String server, boolean pinned, Duration timeout) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client knows no placement");
  }

  /**
   * Splits an actor into two, while updates and queries go on; returns once it is done.
   *
   * @param at the first key that goes to the new actor, in a table partitioned by range; empty for
   *     about the middle of the records
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED} if the table cannot have its actors split;
   *     {@link io.uniserve.api.error.ErrorCode#ABORTED} if the split was given up
   */
  default ClusterState split(String table, int actor, Optional<PartitionKey> at, Duration timeout) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client knows no placement");
  }

  /**
   * Merges an actor with another, while updates and queries go on; returns once it is done. The new
   * actor has the number after the last.
   *
   * @param with the other; empty for the last of those that it can be merged with: their keys
   *     together are one range, or one class of hashes that a split may have divided
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED} if the table cannot have its actors merged;
   *     {@link io.uniserve.api.error.ErrorCode#ABORTED} if the merge was given up
   */
  default ClusterState merge(String table, int actor, Optional<Integer> with, Duration timeout) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client knows no placement");
  }

  /** Pauses or resumes placement policies. */
  default ClusterState pausePlacement(boolean paused, Duration timeout) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client knows no placement");
  }

  /**
   * Returns the load that the coordinator knows: a sliding mean, at most some seconds old. A
   * coordinator that has just begun knows little.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED} if this client has no coordinator
   */
  default Load load(Duration timeout) {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client knows no load");
  }

  /**
   * Returns the planner of a table's engine.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED} if it has none
   */
  Planner planner(TableDefinition table);

  /**
   * Returns the controllers of the cluster.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#UNSUPPORTED} if this client has no controllers
   */
  default ControllerAdmin controllers() {
    throw new UniserveException(ErrorCode.UNSUPPORTED, "this client knows no controllers");
  }

  @Override
  void close();

  /** A listener for changes of cluster state. */
  @FunctionalInterface
  interface ChangeListener {
    /**
     * Takes one change. Must not wait.
     *
     * @param state the state after it
     * @param record the change
     */
    void changed(ClusterState state, ControlRecord record);
  }

  /** A listener's registration. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
