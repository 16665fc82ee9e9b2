package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.kernel.Invariant;
import io.uniserve.simulation.model.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * The reads of an ordered table that are of one place in its order, as their clients see them. Each
 * has seen the updates up to some number, and none after it: each on all its actors or on none. It
 * has seen those that were stable before it began. A read of a session has seen all that the
 * session submitted before it, and nothing that the session submitted later. Places are as clients
 * were told them, so nothing here knows how the cluster orders.
 */
final class Cuts {
  private final Promises promises;
  private final Predicate<Operation> mayBeRefused;
  private final Map<String, Update> updates = new LinkedHashMap<>();
  private final Map<String, List<Update>> sessions = new LinkedHashMap<>();
  private final List<Answer> answers = new ArrayList<>();
  private long moments;

  /** One update. */
  private static final class Update {
    private final String key;
    private final List<Operation> operations;

    /** The operations that neither may have been lost nor refused. */
    private List<Operation> due = List.of();

    /** The number of tables that were replaced before: each table has an order of its own. */
    private final int replacements;

    private long number;
    private long stable = Long.MAX_VALUE;

    Update(String key, List<Operation> operations, int replacements) {
      this.key = key;
      this.operations = operations;
      this.replacements = replacements;
    }
  }

  /**
   * A read under way.
   *
   * @param session the session that it is of
   * @param submitted the number of updates that the session had submitted before
   * @param began the moment
   * @param replacements the number of tables that were replaced before
   */
  record Read(Optional<String> session, int submitted, long began, int replacements) {}

  /**
   * The answer of a read.
   *
   * @param seen the numbers of operations
   */
  private record Answer(Read read, Set<Long> seen) {}

  /**
   * @param promises tell what may have been lost
   * @param mayBeRefused tells whether an actor may have refused an operation that others applied
   */
  Cuts(Promises promises, Predicate<Operation> mayBeRefused) {
    this.promises = promises;
    this.mayBeRefused = mayBeRefused;
  }

  void begun(String key, List<Operation> operations) {
    updates.put(key, new Update(key, List.copyOf(operations), promises.replacements()));
  }

  void submitted(String session, String key) {
    sessions.computeIfAbsent(session, absent -> new ArrayList<>()).add(updates.get(key));
  }

  /**
   * Notes that an update is stable.
   *
   * @param number its place; 0 if its client was not told
   */
  void stable(String key, long number) {
    Update update = updates.get(key);
    // An update that was begun before the table was replaced has a place in either order.
    update.number = update.replacements == promises.replacements() ? number : 0;
    update.stable = ++moments;
  }

  Read asked(Optional<String> session) {
    int submitted = session.map(sessions::get).map(List::size).orElse(0);
    return new Read(session, submitted, ++moments, promises.replacements());
  }

  /** Notes an answer. A read during which the table was replaced may be of either. */
  void answered(Read read, SortedMap<Integer, List<Operation>> journals) {
    if (read.replacements() < promises.replacements()) {
      return;
    }
    Set<Long> seen = new HashSet<>();
    journals
        .values()
        .forEach(journal -> journal.forEach(operation -> seen.add(operation.number())));
    answers.add(new Answer(read, seen));
  }

  /** Returns the number of reads that were answered. */
  int count() {
    return answers.size();
  }

  /**
   * Checks all reads.
   *
   * @param present the numbers of all operations that have happened in the end
   */
  void check(Set<Long> present) {
    updates.values().forEach(update -> update.due = due(update));
    for (Answer answer : answers) {
      long cut = 0;
      for (Update update : updates.values()) {
        requireWhole(update, answer);
        boolean ofOrder = update.replacements == answer.read().replacements();
        cut = ofOrder && isSeen(update, answer) ? Math.max(cut, update.number) : cut;
      }
      for (Update update : updates.values()) {
        if (happened(update, present) && !isSeen(update, answer)) {
          requireNotBefore(update, cut, answer);
        }
      }
      answer.read().session().ifPresent(session -> requireOrder(session, answer, present));
    }
  }

  private static void requireWhole(Update update, Answer answer) {
    List<Operation> due = update.due;
    long seen =
        due.stream().filter(operation -> answer.seen().contains(operation.number())).count();
    Invariant.ATOMIC_UPDATES.require(
        seen == 0 || seen == due.size(),
        () -> answer.read() + " has seen " + seen + " operations of " + update.key + ", " + due);
  }

  private static void requireNotBefore(Update update, long cut, Answer answer) {
    Invariant.TOTAL_ORDER.require(
        update.number == 0
            || update.number > cut
            || update.replacements != answer.read().replacements(),
        () ->
            answer.read()
                + " has seen the update at place "
                + cut
                + ", and not "
                + update.key
                + " at place "
                + update.number);
    Invariant.READ_AFTER_ACKNOWLEDGEMENT.require(
        update.stable > answer.read().began(),
        () -> answer.read() + " has not seen " + update.key + ", which was stable before");
  }

  private void requireOrder(String session, Answer answer, Set<Long> present) {
    List<Update> submitted = sessions.getOrDefault(session, List.of());
    for (int i = 0; i < submitted.size(); i++) {
      Update update = submitted.get(i);
      boolean before = i < answer.read().submitted();
      Invariant.TOTAL_ORDER.require(
          !happened(update, present) || before == isSeen(update, answer),
          () ->
              "the "
                  + answer.read()
                  + " of "
                  + session
                  + " comes "
                  + (before ? "after " : "before ")
                  + update.key
                  + (before ? " and has not seen it" : " and has seen it"));
    }
  }

  private List<Operation> due(Update update) {
    boolean lost = update.operations.stream().anyMatch(promises::mayBeGone);
    return lost ? List.of() : update.operations.stream().filter(mayBeRefused.negate()).toList();
  }

  private static boolean isSeen(Update update, Answer answer) {
    return update.due.stream().anyMatch(operation -> answer.seen().contains(operation.number()));
  }

  /** Returns whether an update that cannot have been lost has happened. */
  private static boolean happened(Update update, Set<Long> present) {
    return update.due.stream().anyMatch(operation -> present.contains(operation.number()));
  }
}
