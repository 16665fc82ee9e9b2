package io.uniserve.runtime.server.plan;

import io.uniserve.api.Actor;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Workers;
import io.uniserve.runtime.wire.Engines;
import io.uniserve.runtime.wire.cluster.ServerCalls;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.runtime.wire.plan.Work;
import java.util.Optional;

/** What plans need of the server that they run on. */
public interface PlanHost {
  /** Of the server's process. */
  Environment environment();

  /** Of the server's process. */
  Engines engines();

  /** Calls to other servers. */
  ServerCalls calls();

  /** Where the server listens. */
  Address self();

  /** The threads that run operators. */
  Workers workers();

  /**
   * Takes tasks in; {@link #begun} must follow for each.
   *
   * @throws io.uniserve.api.UniserveException with {@link io.uniserve.api.ErrorCode#OVERLOADED} if
   *     they would wait for too long
   */
  void admit(int tasks, Deadline deadline);

  /** One task has got a thread. */
  void begun();

  /**
   * A readable copy of an actor, until it is closed; empty if there is none. May wait for what was
   * committed up to a version.
   */
  Optional<ActorUse> actor(Input.OfActor of, Deadline deadline);

  /**
   * Stores an actor as the beginning of one of a new table. Waits for the durable store; not to be
   * called on a worker.
   *
   * @param made the actor, which stays as it is
   * @param keeping of what table, and where
   * @param number of the actor
   * @param attempt which try it is
   * @return how many bytes were stored
   */
  long keep(Actor made, Work.Keeping keeping, int number, int attempt);

  /** An actor that a task reads. */
  interface ActorUse extends AutoCloseable {
    /** The actor. */
    Actor actor();

    /**
     * Checks, after it was read, that it had all that it should have.
     *
     * @throws io.uniserve.api.UniserveException that another copy may mend
     */
    void requireUpToDate();

    /**
     * An operator has run on it.
     *
     * @param cost as the engine reports it, or CPU microseconds
     * @param cpuNanos CPU time
     * @param busyNanos for how long it had a worker thread
     */
    void operated(double cost, long cpuNanos, long busyNanos);

    @Override
    void close();
  }
}
