package io.uniserve.runtime.server.query;

import io.uniserve.api.Actor;
import io.uniserve.api.ActorId;
import io.uniserve.kernel.Address;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Workers;
import io.uniserve.runtime.server.base.ServerContext;
import io.uniserve.runtime.server.plan.PlanHost;
import io.uniserve.runtime.server.query.Retrieves.ReplicaLookup;
import io.uniserve.runtime.wire.cluster.ServerCalls;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.plan.Input;
import io.uniserve.runtime.wire.plan.Work;
import java.util.Optional;

/**
 * The server's threads, admission and copies, as plans use them.
 *
 * @param server the server
 * @param calls the calls to other servers
 * @param self the server's address
 * @param retrieves runs its other operators
 * @param replicas finds its copies
 * @param kept stores what plans keep
 */
public record PlanHosting(
    ServerContext server,
    ServerCalls calls,
    Address self,
    Retrieves retrieves,
    ReplicaLookup replicas,
    KeptActors kept)
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
  public Optional<ActorUse> actor(Input.OfActor of, Deadline deadline) {
    ActorId id = of.actor();
    return replicas
        .find(id.table(), id.number())
        .flatMap(
            replica ->
                (of.point().isEmpty()
                        ? retrieves.newest(replica, of.generation())
                        : Optional.of(
                            retrieves.asOf(
                                id, of.generation(), replica, of.point().get(), deadline)))
                    .map(reading -> new LiveUse(retrieves, reading, deadline)));
  }

  @Override
  public long keep(Actor made, Work.Keeping keeping, int number, int attempt) {
    return kept.keep(made, keeping, number, attempt);
  }

  private record LiveUse(Retrieves retrieves, Retrieves.Reading reading, Deadline deadline)
      implements ActorUse {
    @Override
    public Actor actor() {
      return reading.live().value();
    }

    @Override
    public boolean mustWait() {
      return retrieves.seesUnfirm(reading);
    }

    @Override
    public void requireUpToDate() {
      retrieves.requireUpToDate(reading, deadline);
    }

    @Override
    public void operated(double cost, long cpuNanos, long busyNanos) {
      reading.replica().counters().operated(cost, cpuNanos, busyNanos);
    }

    @Override
    public void close() {
      reading.live().release();
    }
  }
}
