package io.uniserve.runtime.server;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorId;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Workers;
import io.uniserve.runtime.server.Retrieves.ReplicaLookup;
import io.uniserve.runtime.server.plan.PlanHost;
import io.uniserve.runtime.wire.Engines;
import java.util.Optional;

/**
 * What this server gives to plans: the threads and the admission of its retrieves, and its copies
 * of actors.
 *
 * @param server the server
 * @param self where it listens
 * @param retrieves its other operators
 * @param replicas finds its copies
 */
record PlanHosting(ServerContext server, Address self, Retrieves retrieves, ReplicaLookup replicas)
    implements PlanHost {
  @Override
  public Environment environment() {
    return server.environment();
  }

  @Override
  public Engines engines() {
    return server.engines();
  }

  @Override
  public Workers workers() {
    return retrieves.workers();
  }

  @Override
  public void admit(int tasks, Deadline deadline) {
    retrieves.admission().admit(tasks, 0, deadline);
  }

  @Override
  public void begun() {
    retrieves.admission().begun(0);
  }

  @Override
  public Optional<ActorUse> actor(ActorId id) {
    return replicas
        .find(id.table(), id.number())
        .flatMap(replica -> replica.acquire().map(live -> new LiveUse(replica, live)));
  }

  private record LiveUse(Replica replica, LiveActor live) implements ActorUse {
    @Override
    public Actor actor() {
      return live.actor();
    }

    @Override
    public void operated(double cost, long cpuNanos) {
      replica.counters().operated(cost, cpuNanos);
    }

    @Override
    public void close() {
      live.release();
    }
  }
}
