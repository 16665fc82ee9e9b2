package io.uniserve.simulation.scenario.cluster;

import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.client.PartialAnswer;
import io.uniserve.simulation.model.Operation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToIntFunction;

/** What must hold of every answer to a query of all journals. */
final class Answers {
  private final int actors;
  private final ToIntFunction<Operation> actorOf;
  private final Promises promises;
  private final Wiretap wiretap;
  private long count;
  private long partialCount;

  Answers(int actors, ToIntFunction<Operation> actorOf, Promises promises, Wiretap wiretap) {
    this.actors = actors;
    this.actorOf = actorOf;
    this.promises = promises;
    this.wiretap = wiretap;
  }

  /**
   * What was known when a query began.
   *
   * @param client whose query
   * @param promised to be in its answer
   * @param mark of the wiretap
   */
  record Before(String client, List<Promises.Promise> promised, long mark) {}

  Before before(String client) {
    return new Before(client, promises.onAllCopies(), wiretap.mark());
  }

  int actorOf(Operation operation) {
    return actorOf.applyAsInt(operation);
  }

  long count() {
    return count;
  }

  /** How many of the answers were said to lack something. */
  long partialCount() {
    return partialCount;
  }

  /** What a partial answer lacks it names, and nothing else; the rest is as in any answer. */
  void check(PartialAnswer<SortedMap<Integer, List<Operation>>> some, Before before) {
    SortedSet<Integer> missing = new TreeSet<>();
    some.coverage().missing().forEach(actor -> missing.add(actor.actor()));
    partialCount += missing.isEmpty() ? 0 : 1;
    SortedSet<Integer> all = new TreeSet<>(some.result().keySet());
    all.addAll(missing);
    Invariant.EXACT_ANSWER.require(
        some.coverage().asked() == actors
            && all.size() == actors
            && missing.size() + some.result().size() == actors,
        () -> some.result().keySet() + " answered and is said to lack " + missing);
    check(some.result(), missing, before);
  }

  void check(SortedMap<Integer, List<Operation>> journals, Before before) {
    Invariant.EXACT_ANSWER.require(
        journals.size() == actors, () -> journals.keySet() + " answered, of " + actors);
    check(journals, new TreeSet<>(), before);
  }

  private void check(
      SortedMap<Integer, List<Operation>> journals, Set<Integer> missing, Before before) {
    count++;
    journals.forEach(this::checkJournal);
    for (Promises.Promise promise : before.promised()) {
      if (missing.contains(promise.actor())) {
        continue;
      }
      Invariant.READ_AFTER_ACKNOWLEDGEMENT.require(
          journals.get(promise.actor()).contains(promise.operation())
              || promises.isExcused(promise)
              || wiretap.outdatedSince(before.mark(), before.client(), promise.actor()),
          () -> promise + " is not in " + journals.get(promise.actor()));
    }
  }

  private void checkJournal(int actor, List<Operation> journal) {
    Set<Long> seen = new HashSet<>();
    for (Operation operation : journal) {
      Invariant.SAME_ORDER_ON_COPIES.require(
          seen.add(operation.number()),
          () -> operation + " was applied twice on actor " + actor + ": " + journal);
      Invariant.EXACT_ANSWER.require(
          actorOf.applyAsInt(operation) == actor,
          () -> operation + " does not belong to actor " + actor);
    }
  }
}
