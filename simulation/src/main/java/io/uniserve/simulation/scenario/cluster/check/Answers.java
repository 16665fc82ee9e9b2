package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.work.Shapes;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** The checks of every answer to a query of all journals. */
public final class Answers {
  private final Shapes shapes;
  private final Promises promises;
  private final Outdated outdated;
  private long count;
  private long partialCount;

  public Answers(Shapes shapes, Promises promises, Outdated outdated) {
    this.shapes = shapes;
    this.promises = promises;
    this.outdated = outdated;
  }

  /**
   * The knowledge at the beginning of a query.
   *
   * @param client the query's
   * @param promised updates that its answer must contain
   * @param seen operations that it must contain, since earlier answers did
   * @param mark the mark of the moment
   */
  record Before(String client, List<Promises.Promise> promised, List<Operation> seen, long mark) {}

  /**
   * @param promised the updates that the query must see
   * @param seen the operations that it must see, since earlier answers showed them
   */
  Before before(String client, List<Promises.Promise> promised, List<Operation> seen) {
    return new Before(client, promised, seen, outdated.mark());
  }

  /**
   * Checks that a snapshot read sees one version: no uncommitted update, and for each that it sees,
   * all that came before.
   *
   * @param versions the versions of all committed operations
   */
  void checkOneVersion(
      SortedMap<Integer, List<Operation>> journals, Map<Operation, Long> versions) {
    Set<Operation> seen = new LinkedHashSet<>();
    journals.values().forEach(seen::addAll);
    long newest = 0;
    for (Operation operation : seen) {
      Long version = versions.get(operation);
      Invariant.ONE_VERSION.require(
          version != null || promises.isExcused(operation),
          () -> operation + " is seen and was not committed");
      if (version != null && !promises.isExcused(operation)) {
        newest = Math.max(newest, version);
      }
    }
    for (Map.Entry<Operation, Long> committed : versions.entrySet()) {
      long seenVersion = newest;
      Invariant.ONE_VERSION.require(
          committed.getValue() > newest
              || seen.contains(committed.getKey())
              || promises.isExcused(committed.getKey()),
          () -> "version " + seenVersion + " is seen, but not " + committed);
    }
  }

  public long count() {
    return count;
  }

  /** Returns how many answers were said to be partial. */
  public long partialCount() {
    return partialCount;
  }

  /**
   * Checks a scan: it gives nothing twice and, once it is complete, everything that was there when
   * it began.
   */
  void checkScan(List<Operation> given, boolean complete, Before before) {
    count++;
    Set<Operation> once = new HashSet<>();
    for (Operation operation : given) {
      Invariant.EXACT_ANSWER.require(
          once.add(operation), () -> "a scan has given " + operation + " twice");
    }
    for (Promises.Promise promise : complete ? before.promised() : List.<Promises.Promise>of()) {
      Operation operation = promise.operation();
      Invariant.READ_AFTER_ACKNOWLEDGEMENT.require(
          once.contains(operation)
              || promises.isExcused(promise)
              || outdated.outdatedSince(before.mark(), before.client(), shapes.actorOf(operation)),
          () -> "a scan lacks " + promise);
    }
  }

  /** Checks a partial answer: it names exactly what it lacks, and the rest is as in any answer. */
  void check(PartialAnswer<SortedMap<Integer, List<Operation>>> some, Before before) {
    SortedSet<Integer> missing = new TreeSet<>();
    some.coverage().missing().forEach(actor -> missing.add(actor.actor()));
    partialCount += missing.isEmpty() ? 0 : 1;
    SortedSet<Integer> all = new TreeSet<>(some.result().keySet());
    all.addAll(missing);
    int actors = some.coverage().asked();
    Invariant.EXACT_ANSWER.require(
        shapes.were(all) && all.size() == actors && missing.size() + some.result().size() == actors,
        () -> some.result().keySet() + " answered and is said to lack " + missing);
    check(some.result(), missing, before);
  }

  void check(SortedMap<Integer, List<Operation>> journals, Before before) {
    Invariant.EXACT_ANSWER.require(
        shapes.were(journals.keySet()),
        () -> journals.keySet() + " answered, of " + shapes.newest().get());
    check(journals, new TreeSet<>(), before);
  }

  private void check(
      SortedMap<Integer, List<Operation>> journals, Set<Integer> missing, Before before) {
    count++;
    SortedSet<Integer> all = new TreeSet<>(journals.keySet());
    all.addAll(missing);
    Partitioner shape = shapes.of(all);
    Set<Operation> shown = new HashSet<>();
    journals.forEach(
        (actor, journal) -> {
          checkJournal(shape, actor, journal);
          shown.addAll(journal);
        });
    for (Promises.Promise promise : before.promised()) {
      int actor = shape.actorOf(promise.operation().partitionKey());
      if (missing.contains(actor)) {
        continue;
      }
      Invariant.READ_AFTER_ACKNOWLEDGEMENT.require(
          shown.contains(promise.operation())
              || promises.isExcused(promise)
              || outdated.outdatedSince(before.mark(), before.client(), actor),
          () -> promise + " is not in " + journals.get(actor));
    }
    for (Operation operation : before.seen()) {
      int actor = shape.actorOf(operation.partitionKey());
      Invariant.READ_AFTER_ACKNOWLEDGEMENT.require(
          missing.contains(actor)
              || shown.contains(operation)
              || promises.mayBeGone(operation)
              || outdated.outdatedSince(before.mark(), before.client(), actor),
          () -> operation + " was seen before, and is not in " + journals.get(actor));
    }
  }

  private static void checkJournal(Partitioner shape, int actor, List<Operation> journal) {
    Set<Long> seen = new HashSet<>();
    for (Operation operation : journal) {
      Invariant.SAME_ORDER_ON_COPIES.require(
          seen.add(operation.number()),
          () -> operation + " was applied twice on actor " + actor + ": " + journal);
      Invariant.EXACT_ANSWER.require(
          shape.actorOf(operation.partitionKey()) == actor,
          () -> operation + " does not belong to actor " + actor);
    }
  }
}
