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
 * The history of which operation belonged to which actor. Each split and each merge makes the next
 * actor, so the highest number of the existing actors tells which changes were made.
 *
 * @param newest returns the present partitioner
 */
public record Shapes(Supplier<Partitioner> newest) {

  /** Returns the partitioner as it was with this many actors. */
  public Partitioner of(int actors) {
    Partitioner now = newest.get();
    return actors == now.actors() || !(now instanceof Partitioner.Refined refined)
        ? now
        : refined.first(actors - now.base().actors());
  }

  /** Returns the partitioner as it was when these were all the actors. */
  public Partitioner of(Collection<Integer> all) {
    return of(1 + all.stream().mapToInt(number -> number).max().orElse(-1));
  }

  /** Returns whether these were all the actors at some moment. */
  public boolean were(Collection<Integer> all) {
    int actors = 1 + all.stream().mapToInt(number -> number).max().orElse(-1);
    Partitioner now = newest.get();
    return now.base().actors() <= actors
        && actors <= now.actors()
        && List.copyOf(of(actors).actorsOf(Keys.ALL)).equals(all.stream().sorted().toList());
  }

  /** Returns whether an actor came from a merge, even if it was split since. */
  public boolean wasMerged(int actor) {
    for (PartitionChange change : newest.get().history()) {
      if (change.into() == actor) {
        return change instanceof PartitionChange.Merge
            || change instanceof PartitionChange.Cut cut && wasMerged(cut.actor());
      }
    }
    return false;
  }

  /** Returns the actor that has an operation now. */
  public int actorOf(Operation operation) {
    return newest.get().actorOf(operation.partitionKey());
  }

  /** Returns the one of some actors that an operation belonged to when these existed. */
  public int actorOf(Operation operation, Collection<Integer> actors) {
    for (int count = newest.get().actors(); count > 0; count--) {
      int actor = of(count).actorOf(operation.partitionKey());
      if (actors.contains(actor)) {
        return actor;
      }
    }
    throw new IllegalStateException(operation + " is of none of " + actors);
  }

  /** Returns the operations of a journal, in their order, by the actors that they belonged to. */
  public Map<List<Integer>, List<Operation>> byWay(List<Operation> journal) {
    Map<List<Integer>, List<Operation>> byWay = new LinkedHashMap<>();
    for (Operation operation : journal) {
      byWay.computeIfAbsent(wayOf(operation), absent -> new ArrayList<>()).add(operation);
    }
    return byWay;
  }

  /**
   * Returns the operations of all journals in sequences, each in the order in which they happened.
   * A journal is such a sequence unless its actor came from a merge. In that case the operations of
   * the one stand before those of the other, and happened neither before nor after them.
   */
  public List<List<Operation>> sequences(SortedMap<Integer, List<Operation>> journals) {
    Partitioner then = of(journals.keySet());
    return journals.values().stream()
        .flatMap(journal -> sequences(journal, then.history()).stream())
        .toList();
  }

  /**
   * @param changes the changes until the operations were all one actor's
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

  /**
   * Returns where a run of operations ends that belonged to one actor after a number of changes.
   */
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
   * Returns the actors that an operation belonged to, one after another. Operations with the same
   * sequence keep their order, whatever was split and merged.
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
