package io.uniserve.runtime.server.plan;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorId;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Workers;
import io.uniserve.runtime.wire.Engines;
import java.util.Optional;

/** What plans need of the server that they run on. */
public interface PlanHost {
  /** Of the server's process. */
  Environment environment();

  /** Of the server's process. */
  Engines engines();

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

  /** A readable copy of an actor, until it is closed; empty if there is none. */
  Optional<ActorUse> actor(ActorId id);

  /** An actor that a task reads. */
  interface ActorUse extends AutoCloseable {
    /** The actor. */
    Actor actor();

    /** An operator has run on it. */
    void operated(double cost, long cpuNanos);

    @Override
    void close();
  }
}
