package io.uniserve.runtime.client.plan;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerCalls;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.ReadPoint;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The cluster, as plans see it through the client that runs them. */
public interface PlanCluster {
  /** Returns the environment of the client's process. */
  Environment environment();

  /** Returns the engines of the client's process. */
  Engines engines();

  /** Returns calls to servers. */
  ServerCalls calls();

  /** Returns the newest cluster state. */
  ClusterState state();

  /**
   * Returns the table of this name; later calls find it in {@link #state}.
   *
   * @throws io.uniserve.api.error.UniserveException if there is none, or that cannot be found out
   *     before the deadline
   */
  TableState requireTable(String name, Deadline deadline);

  /** Returns the point of a table that the plan reads; empty if it reads the newest data. */
  Optional<ReadPoint> pointOf(TableState table);

  /** Runs a task, which must not wait, at every change of cluster state until it is closed. */
  Listening onChange(Runnable task);

  /** Returns a chooser of copies for one stage. */
  CopyChooser chooser();

  /** Counts tasks that begin on a server; negative if they have ended. */
  void count(String server, int tasks);

  /** Returns a name that nobody else chooses. */
  String newName();

  /** Returns the limits of plans. */
  Limits limits();

  /** A chooser of copies, which spreads its choices. */
  @FunctionalInterface
  interface CopyChooser {
    /**
     * Returns the server to ask; empty if no readable copy is left besides those on these servers.
     */
    Optional<String> choose(ActorId actor, Set<String> avoided);
  }

  /** A registration. */
  @FunctionalInterface
  interface Listening extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * The limits of one plan.
   *
   * @param attemptsMax attempts at one task before its failure is the query's, not counting those
   *     that reached no copy that could answer
   * @param retryDelay the pause before a task is tried again where it failed; doubles with every
   *     further try
   * @param patience the longest time that a task waits for a copy that can answer, and a server to
   *     be opened
   * @param valuesMax the most values that may be held before they are combined
   * @param runsMax attempts at the whole plan, unless more can be made within the patience
   */
  record Limits(
      int attemptsMax, Duration retryDelay, Duration patience, int valuesMax, int runsMax) {}
}
