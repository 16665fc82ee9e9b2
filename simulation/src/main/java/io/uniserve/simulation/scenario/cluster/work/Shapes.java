package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.partition.Keys;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.simulation.model.Operation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Supplier;

/**
 * Which operation was which actor's, when a table had had so many actors: each split and each merge
 * makes the next, so the highest number of those that there are tells which changes were made.
 *
 * @param newest says whose every operation is now
 */
public record Shapes(Supplier<Partitioner> newest) {

  /** As when there had been so many actors. */
  public Partitioner of(int actors) {
    Partitioner now = newest.get();
    return actors == now.actors() || !(now instanceof Partitioner.Refined refined)
        ? now
        : refined.first(actors - now.base().actors());
  }

  /** As when these were all the actors that there were. */
  public Partitioner of(Collection<Integer> all) {
    return of(1 + all.stream().mapToInt(number -> number).max().orElse(-1));
  }

  /** Whether these were all the actors at some moment. */
  public boolean were(Collection<Integer> all) {
    int actors = 1 + all.stream().mapToInt(number -> number).max().orElse(-1);
    Partitioner now = newest.get();
    return now.base().actors() <= actors
        && actors <= now.actors()
        && List.copyOf(of(actors).actorsOf(Keys.ALL)).equals(all.stream().sorted().toList());
  }

  /** Whether an actor is of two that were merged, be it that it was split since. */
  public boolean wasMerged(int actor) {
    for (PartitionChange change : newest.get().history()) {
      if (change.into() == actor) {
        return change instanceof PartitionChange.Merge
            || change instanceof PartitionChange.Cut cut && wasMerged(cut.actor());
      }
    }
    return false;
  }

  /** The actor that has an operation now. */
  public int actorOf(Operation operation) {
    return newest.get().actorOf(operation.partitionKey());
  }

  /** The one of some actors that an operation belonged to, when they were told of it. */
  public int actorOf(Operation operation, Collection<Integer> actors) {
    for (int count = newest.get().actors(); count > 0; count--) {
      int actor = of(count).actorOf(operation.partitionKey());
      if (actors.contains(actor)) {
        return actor;
      }
    }
    throw new IllegalStateException(operation + " is of none of " + actors);
  }

  /** The operations of a journal, in their order, by the actors that they belonged to. */
  public Map<List<Integer>, List<Operation>> byWay(List<Operation> journal) {
    Map<List<Integer>, List<Operation>> byWay = new LinkedHashMap<>();
    for (Operation operation : journal) {
      byWay.computeIfAbsent(wayOf(operation), absent -> new ArrayList<>()).add(operation);
    }
    return byWay;
  }

  /**
   * The operations of all journals in sequences, in each of which they stand in the order in which
   * they happened. In a journal they do unless its actor came of a merge: then what the one had
   * stands before what the other had, and happened neither before nor after that.
   */
  public List<List<Operation>> sequences(SortedMap<Integer, List<Operation>> journals) {
    Partitioner then = of(journals.keySet());
    return journals.values().stream()
        .flatMap(journal -> sequences(journal, then.history()).stream())
        .toList();
  }

  /**
   * @param changes until the operations were all one actor's
   */
  private List<List<Operation>> sequences(List<Operation> journal, List<PartitionChange> changes) {
    int before = changes.size() - 1;
    if (journal.isEmpty() || before < 0) {
      return List.of(journal);
    }
    boolean merged =
        changes.getLast() instanceof PartitionChange.Merge merge
            && merge.into() == actorOf(journal.getFirst(), changes.size());
    if (!merged) {
      return sequences(journal, changes.subList(0, before));
    }
    int one = runOfOneActor(journal, 0, before);
    int other = runOfOneActor(journal, one, before);
    List<List<Operation>> all = new ArrayList<>();
    for (List<Operation> part : List.of(journal.subList(0, one), journal.subList(one, other))) {
      for (List<Operation> sequence : sequences(part, changes.subList(0, before))) {
        List<Operation> whole = new ArrayList<>(sequence);
        whole.addAll(journal.subList(other, journal.size()));
        all.add(whole);
      }
    }
    return all;
  }

  /** Where a run of operations ends that were of one actor after so many changes. */
  private int runOfOneActor(List<Operation> journal, int from, int changes) {
    int end = from;
    while (end < journal.size()
        && actorOf(journal.get(end), changes) == actorOf(journal.get(from), changes)) {
      end++;
    }
    return end;
  }

  private int actorOf(Operation operation, int changes) {
    return wayOf(operation).get(changes);
  }

  /**
   * The actors that an operation belonged to, one after another. Those that went the same way keep
   * their order, whatever was split and merged.
   */
  public List<Integer> wayOf(Operation operation) {
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
