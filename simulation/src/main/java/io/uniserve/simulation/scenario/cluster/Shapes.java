package io.uniserve.simulation.scenario.cluster;

import io.uniserve.api.Keys;
import io.uniserve.api.PartitionChange;
import io.uniserve.api.Partitioner;
import io.uniserve.simulation.model.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/**
 * Which operation was which actor's, when a table had had so many actors: each split and each merge
 * makes the next, so the highest number of those that there are tells which changes were made.
 *
 * @param newest says whose every operation is now
 */
record Shapes(Supplier<Partitioner> newest) {

  /** As when there had been so many actors. */
  Partitioner of(int actors) {
    Partitioner now = newest.get();
    return actors == now.actors() || !(now instanceof Partitioner.Refined refined)
        ? now
        : refined.first(actors - now.base().actors());
  }

  /** As when these were all the actors that there were. */
  Partitioner of(Collection<Integer> all) {
    return of(1 + all.stream().mapToInt(number -> number).max().orElse(-1));
  }

  /** Whether these were all the actors at some moment. */
  boolean were(Collection<Integer> all) {
    int actors = 1 + all.stream().mapToInt(number -> number).max().orElse(-1);
    Partitioner now = newest.get();
    return now.base().actors() <= actors
        && actors <= now.actors()
        && List.copyOf(of(actors).actorsOf(Keys.ALL)).equals(all.stream().sorted().toList());
  }

  /** Whether an actor is of two that were merged, be it that it was split since. */
  boolean wasMerged(int actor) {
    for (PartitionChange change : newest.get().history()) {
      if (change.into() == actor) {
        return change instanceof PartitionChange.Merge
            || change instanceof PartitionChange.Cut cut && wasMerged(cut.actor());
      }
    }
    return false;
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

  /**
   * The actors that an operation belonged to, one after another. Those that went the same way keep
   * their order, whatever was split and merged.
   */
  List<Integer> wayOf(Operation operation) {
    Partitioner now = newest.get();
    List<Integer> way = new ArrayList<>();
    int actor = now.base().actorOf(operation.partitionKey());
    way.add(actor);
    for (PartitionChange change : now.history()) {
      actor = change.next(now.base(), actor, operation.partitionKey());
      way.add(actor);
    }
    return way;
  }
}
