package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.kernel.Invariant;
import io.uniserve.simulation.model.Operation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The reads of an ordered table that are of one place in its order, as their clients see them. Each
 * has seen the updates up to some number, and none after it: each on all its actors or on none. It
 * has seen those that were stable before it began. A read of a session has seen all that the
 * session submitted before it, and nothing that the session submitted later. Places are as clients
 * were told them, so nothing here knows how the cluster orders.
 *
 * <p>All updates and these reads together have one order that agrees with each session, with each
 * actor's journal, and with what each read has seen (sequential consistency), whichever way updates
 * took.
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
    private boolean mayGoShort;
    private long stable = Long.MAX_VALUE;

    Update(String key, List<Operation> operations, int replacements) {
      this.key = key;
      this.operations = operations;
      this.replacements = replacements;
    }

    @Override
    public String toString() {
      return key;
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
  private record Answer(Read read, Set<Long> seen) {
    @Override
    public String toString() {
      return read.toString();
    }
  }

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

  void mayGoShort(String key) {
    updates.get(key).mayGoShort = true;
  }

  /**
   * Notes that an update is stable.
   *
   * @param number its place; 0 if its client was not told
   */
  void stable(String key, long number) {
    Update update = updates.get(key);
    // An update that was begun before the table was replaced has a place in either order.
    boolean placed = !update.mayGoShort && update.replacements == promises.replacements();
    update.number = placed ? number : 0;
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
   * @param sequences all operations, in sequences in which they happened
   */
  void check(Set<Long> present, List<List<Operation>> sequences) {
    updates.values().forEach(update -> update.due = due(update));
    requireOneOrder(sequences);
    for (Answer answer : answers) {
      updates.values().forEach(update -> requireLasting(update, answer, present));
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

  /**
   * Requires that what a read has seen is there in the end, unless the table was replaced by what
   * the store had of it. An update that was never acknowledged can be seen, and lost then, too.
   */
  private void requireLasting(Update update, Answer answer, Set<Long> present) {
    for (Operation operation : update.operations) {
      Invariant.ACKNOWLEDGED_SURVIVES.require(
          !answer.seen().contains(operation.number())
              || present.contains(operation.number())
              || promises.mayBeGone(operation),
          () -> answer.read() + " has seen " + operation + " of " + update.key + ", which is lost");
    }
  }

  /** Requires one order that agrees with sessions, journals, places and reads. */
  private void requireOneOrder(List<List<Operation>> sequences) {
    OneOrder order = new OneOrder();
    Map<Long, Update> byOperation = new HashMap<>();
    updates
        .values()
        .forEach(update -> update.due.forEach(one -> byOperation.put(one.number(), update)));
    Set<Update> happened = new LinkedHashSet<>();
    for (List<Operation> sequence : sequences) {
      List<Update> inOrder = new ArrayList<>();
      for (Operation operation : sequence) {
        Update update = byOperation.get(operation.number());
        if (update != null && (inOrder.isEmpty() || inOrder.getLast() != update)) {
          inOrder.add(update);
        }
      }
      happened.addAll(inOrder);
      order.chain(inOrder);
      answers.forEach(answer -> addRead(answer, inOrder, order));
    }
    Map<Integer, List<Update>> placed = new TreeMap<>();
    for (Update update : happened) {
      if (update.number > 0) {
        placed.computeIfAbsent(update.replacements, absent -> new ArrayList<>()).add(update);
      }
    }
    for (List<Update> some : placed.values()) {
      some.sort(Comparator.comparingLong(update -> update.number));
      order.chain(some);
    }
    Map<String, List<Answer>> reads = new HashMap<>();
    for (Answer answer : answers) {
      answer
          .read()
          .session()
          .ifPresent(
              session -> reads.computeIfAbsent(session, absent -> new ArrayList<>()).add(answer));
    }
    sessions.forEach(
        (session, submitted) ->
            order.chain(itemsOf(submitted, reads.getOrDefault(session, List.of()), happened)));
    order.require();
  }

  /** Adds that a read comes after the last update that it has seen, and before the next. */
  private void addRead(Answer answer, List<Update> inOrder, OneOrder order) {
    Update last = null;
    Update next = null;
    for (Update update : inOrder) {
      if (isSeen(update, answer)) {
        last = mayHaveMovedAfter(answer, update) ? last : update;
      } else if (next == null) {
        next = update;
      }
    }
    if (last != null) {
      order.before(last, answer);
    }
    if (next != null) {
      order.before(answer, next);
    }
  }

  /**
   * Returns whether the table that a read was of may have lost an update that it had not
   * acknowledged yet, and another may have given that a new place.
   */
  private boolean mayHaveMovedAfter(Answer answer, Update update) {
    return answer.read().replacements() < promises.replacements()
        && update.operations.stream().anyMatch(promises::wasAnsweredLater);
  }

  /** Returns the updates of a session that have happened, and its reads, as it submitted them. */
  private static List<Object> itemsOf(
      List<Update> submitted, List<Answer> reads, Set<Update> happened) {
    List<Answer> left = new ArrayList<>(reads);
    left.sort(Comparator.comparingLong(answer -> answer.read().began()));
    List<Object> items = new ArrayList<>();
    for (int i = 0; i <= submitted.size(); i++) {
      while (!left.isEmpty() && left.getFirst().read().submitted() == i) {
        items.add(left.removeFirst());
      }
      if (i < submitted.size() && happened.contains(submitted.get(i))) {
        items.add(submitted.get(i));
      }
    }
    return items;
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
