package io.uniserve.runtime.server.plan;

import io.uniserve.api.Actor;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Workers;
import io.uniserve.runtime.wire.cluster.ServerCalls;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.runtime.wire.plan.Work;
import java.util.Optional;

/** The server on which plans run, as they see it. */
public interface PlanHost {
  /** Returns the environment of the server's process. */
  Environment environment();

  /** Returns the engines of the server's process. */
  Engines engines();

  /** Returns the calls to other servers. */
  ServerCalls calls();

  /** Returns the server's address. */
  Address self();

  /** Returns the threads that run operators. */
  Workers workers();

  /**
   * Admits tasks; {@link #begun} must follow for each.
   *
   * @throws io.uniserve.api.error.UniserveException with {@link
   *     io.uniserve.api.error.ErrorCode#OVERLOADED} if they would wait for too long
   */
  void admit(int tasks, Deadline deadline);

  /** Notes that one task has got a thread. */
  void begun();

  /**
   * Returns a readable copy of an actor, until it is closed; empty if there is none. May wait for
   * transactions committed up to a version.
   */
  Optional<ActorUse> actor(Input.OfActor of, Deadline deadline);

  /**
   * Stores an actor as the beginning of one of a new table. It waits for the durable store, so it
   * must not be called on a worker.
   *
   * @param made the actor, which stays as it is
   * @param keeping the new table, and the place of its data
   * @param number the number of the actor
   * @param attempt the number of the try
   * @return the number of bytes that were stored
   */
  long keep(Actor made, Work.Keeping keeping, int number, int attempt);

  /** An actor that a task reads. */
  interface ActorUse extends AutoCloseable {
    /** Returns the actor. */
    Actor actor();

    /** Returns whether {@link #requireUpToDate} has to wait for other servers now. */
    boolean mustWait();

    /**
     * Checks, after it was read, that the actor had all data that it should have. May wait for
     * other servers.
     *
     * @throws io.uniserve.api.error.UniserveException that another copy may mend
     */
    void requireUpToDate();

    /**
     * Notes that an operator has run on the actor.
     *
     * @param cost the cost, as the engine reports it, or CPU microseconds
     * @param cpuNanos CPU time
     * @param busyNanos the time for which it had a worker thread
     */
    void operated(double cost, long cpuNanos, long busyNanos);

    @Override
    void close();
  }
}
