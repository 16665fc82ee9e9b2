package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.Partitioner;
import io.uniserve.simulation.model.Operation;
import java.util.Collection;
import java.util.function.Supplier;

/**
 * Which operation was which actor's, when a table had so many actors: splits make them more, and
 * nothing makes them fewer.
 *
 * @param newest says whose every operation is now
 */
record Shapes(Supplier<Partitioner> newest) {

  /** As when there were so many actors. */
  Partitioner of(int actors) {
    Partitioner now = newest.get();
    if (actors == now.actors() || !(now instanceof Partitioner.Refined refined)) {
      return now;
    }
    int cuts = actors - now.base().actors();
    return cuts <= 0
        ? now.base()
        : new Partitioner.Refined(now.base(), refined.cuts().subList(0, cuts));
  }

  /** The actor that has an operation now. */
  int actorOf(Operation operation) {
    return newest.get().actorOf(operation.partitionKey());
  }

  /** The one of some actors that an operation belonged to, when they were told of it. */
  int actorOf(Operation operation, Collection<Integer> actors) {
    for (int count = newest.get().actors(); count > 0; count--) {
      int actor = of(count).actorOf(operation.partitionKey());
      if (actors.contains(actor)) {
        return actor;
      }
    }
    throw new IllegalStateException(operation + " is of none of " + actors);
  }

  /** The actor that an actor was part of when there were so many. */
  int before(int actor, int actors) {
    return actor < actors || !(newest.get() instanceof Partitioner.Refined refined)
        ? actor
        : before(refined.cuts().get(actor - refined.base().actors()).actor(), actors);
  }
}
