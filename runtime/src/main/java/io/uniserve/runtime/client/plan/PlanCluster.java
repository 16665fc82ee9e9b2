package io.uniserve.runtime.client.plan;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerCalls;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** What plans need of the client that runs them. */
public interface PlanCluster {
  /** Of the client's process. */
  Environment environment();

  /** Of the client's process. */
  Engines engines();

  /** Calls to servers. */
  ServerCalls calls();

  /** The newest cluster state. */
  ClusterState state();

  /**
   * The table of this name; what comes after finds it in {@link #state}.
   *
   * @throws io.uniserve.api.error.UniserveException if there is none, or that cannot be found out
   *     before the deadline
   */
  TableState requireTable(String name, Deadline deadline);

  /** The version of a table that the plan reads; none if it reads what is newest. */
  Optional<Long> versionOf(TableState table);

  /** Runs a task, which must not wait, at every change of cluster state until it is closed. */
  Listening onChange(Runnable task);

  /** Chooses copies for one stage. */
  CopyChooser chooser();

  /** So many more tasks are under way on a server; negative if they have ended. */
  void count(String server, int tasks);

  /** A name that nobody else chooses. */
  String newName();

  /** Bounds. */
  Limits limits();

  /** Chooses copies, spreading what it gives. */
  @FunctionalInterface
  interface CopyChooser {
    /** The server to ask; empty if no readable copy is left besides those on these servers. */
    Optional<String> choose(ActorId actor, Set<String> avoided);
  }

  /** A registration. */
  @FunctionalInterface
  interface Listening extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Bounds of one plan.
   *
   * @param attemptsMax tries at one task before its failure is the query's
   * @param retryDelay before a task is tried again where it failed; doubles with every further try
   * @param patience how long a task waits for a copy that can answer, and a server to be opened
   * @param valuesMax values that may be held before they are combined
   * @param runsMax attempts at the whole plan, unless more can be made while one is patient
   */
  record Limits(
      int attemptsMax, Duration retryDelay, Duration patience, int valuesMax, int runsMax) {}
}
