package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.kernel.Invariant;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.work.Shapes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The history of all serializable or ordered updates of a run, as their clients see it: when each
 * began, and when it was acknowledged, if it was. In the end each must have happened on all its
 * actors or on none. There must be one order of all that agrees with every journal, and in which an
 * update comes after those that were acknowledged before it began, unless it takes the short way.
 *
 * <p>Updates of a session stand in that order as they were submitted. What was stable has happened,
 * and so has everything that was submitted in a session before something that has happened.
 */
public final class History {
  private final Promises promises;
  private final Predicate<Operation> mayBeRefused;
  private final Shapes shapes;
  private final Cuts cuts;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Map<Long, Entry> byOperation = new LinkedHashMap<>();
  private final Map<String, List<Entry>> sessions = new LinkedHashMap<>();
  private long moments;

  /** One update. */
  private static final class Entry {
    final String key;
    final List<Operation> operations;
    final long began;
    long acknowledged = Long.MAX_VALUE;
    boolean stable;

    /** True if it may take the short way past the order. */
    boolean mayGoShort;

    Entry(String key, List<Operation> operations, long began) {
      this.key = key;
      this.operations = operations;
      this.began = began;
    }
  }

  /**
   * @param promises tell what may have been lost
   * @param mayBeRefused tells whether an actor may have refused an operation that others applied
   * @param shapes derive the order from a journal
   */
  public History(Promises promises, Predicate<Operation> mayBeRefused, Shapes shapes) {
    this.promises = promises;
    this.mayBeRefused = mayBeRefused;
    this.shapes = shapes;
    this.cuts = new Cuts(promises, mayBeRefused);
  }

  /** Returns the reads that are of one place in the order. */
  Cuts cuts() {
    return cuts;
  }

  /** Returns the number of reads of one place in the order. */
  public int reads() {
    return cuts.count();
  }

  void begun(String key, List<Operation> operations) {
    Entry entry = new Entry(key, List.copyOf(operations), ++moments);
    entries.put(key, entry);
    operations.forEach(operation -> byOperation.put(operation.number(), entry));
    cuts.begun(key, operations);
  }

  void acknowledged(String key) {
    entries.get(key).acknowledged = ++moments;
  }

  void submitted(String session, String key) {
    sessions.computeIfAbsent(session, absent -> new ArrayList<>()).add(entries.get(key));
    cuts.submitted(session, key);
  }

  void mayGoShort(String key) {
    entries.get(key).mayGoShort = true;
    cuts.mayGoShort(key);
  }

  void stable(String key, long number) {
    entries.get(key).stable = true;
    cuts.stable(key, number);
  }

  /** Checks the final journals of all actors. */
  public void checkFinally(SortedMap<Integer, List<Operation>> journals) {
    Set<Long> present = operations(journals);
    entries.values().forEach(entry -> checkStable(entry, present));
    check(journals, true);
    cuts.check(present, shapes.sequences(journals));
  }

  /**
   * Checks that what was given up when a table was replaced is the end of one order of all updates:
   * nothing that is left began after the acknowledgement of something that was given up. Updates
   * that took the short way have no place in that order.
   */
  public void checkCut() {
    for (Entry lost : entries.values()) {
      OptionalLong in = table(lost, promises::givenUpIn);
      if (in.isPresent() && !lost.mayGoShort) {
        for (Entry left : entries.values()) {
          Invariant.TOTAL_ORDER.require(
              left.mayGoShort
                  || left.began < lost.acknowledged
                  || !table(left, promises::keptIn).equals(in),
              () -> left.key + " is left, and " + lost.key + ", which came before, was given up");
        }
      }
    }
  }

  private static OptionalLong table(Entry entry, Function<Operation, OptionalLong> of) {
    return entry.operations.stream()
        .map(of)
        .filter(OptionalLong::isPresent)
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  private static Set<Long> operations(SortedMap<Integer, List<Operation>> journals) {
    Set<Long> present = new LinkedHashSet<>();
    journals
        .values()
        .forEach(journal -> journal.forEach(operation -> present.add(operation.number())));
    return present;
  }

  /**
   * Checks the journals of all actors as of one moment.
   *
   * @param gapless false if updates that took the short way may be missing before others of their
   *     session, since the durable store does not have all that was acknowledged
   */
  public void check(SortedMap<Integer, List<Operation>> journals, boolean gapless) {
    Set<Long> present = operations(journals);
    entries.values().forEach(entry -> checkAtomic(entry, present));
    sessions.forEach(
        (session, updates) -> {
          if (gapless || updates.stream().noneMatch(entry -> entry.mayGoShort)) {
            checkWithoutGap(session, updates, present);
          }
        });
    checkOrder(journals);
  }

  private void checkAtomic(Entry entry, Set<Long> present) {
    List<Operation> due = entry.operations.stream().filter(mayBeRefused.negate()).toList();
    List<Operation> happened = due.stream().filter(o -> present.contains(o.number())).toList();
    Invariant.ATOMIC_UPDATES.require(
        happened.isEmpty()
            || happened.size() == due.size()
            || entry.operations.stream().anyMatch(promises::mayBeTorn),
        () -> "of update " + entry.key + ", " + entry.operations + ", happened " + happened);
  }

  private void checkStable(Entry entry, Set<Long> present) {
    Invariant.ACKNOWLEDGED_SURVIVES.require(
        !entry.stable || happened(entry, present) || lost(entry),
        () ->
            "update " + entry.key + ", " + entry.operations + ", was stable and has not happened");
  }

  private void checkWithoutGap(String session, List<Entry> updates, Set<Long> present) {
    Entry missing = null;
    for (Entry entry : updates) {
      Entry before = missing;
      boolean happened = happened(entry, present);
      Invariant.TOTAL_ORDER.require(
          before == null || !happened,
          () -> "of " + session + " happened " + entry.key + " and not " + before.key);
      if (before == null && !happened && !lost(entry)) {
        missing = entry;
      }
    }
  }

  private static boolean happened(Entry entry, Set<Long> present) {
    return entry.operations.stream().anyMatch(operation -> present.contains(operation.number()));
  }

  private boolean lost(Entry entry) {
    return entry.operations.stream().anyMatch(promises::mayBeGone);
  }

  private void checkOrder(SortedMap<Integer, List<Operation>> journals) {
    Map<Entry, Set<Entry>> before = new LinkedHashMap<>();
    shapes.sequences(journals).forEach(sequence -> addOrderOf(sequence, before));
    List<Entry> all = new ArrayList<>(before.keySet());
    for (Entry first : all) {
      for (Entry second : all) {
        // Only what gets a place in the order comes after all that anybody was told before.
        if (first.acknowledged < second.began && !second.mayGoShort) {
          before.get(second).add(first);
        }
      }
    }
    sessions.values().forEach(updates -> addOrderOfSession(updates, before));
    while (!before.isEmpty()) {
      List<Entry> free =
          before.entrySet().stream()
              .filter(entry -> entry.getValue().isEmpty())
              .map(Map.Entry::getKey)
              .toList();
      Invariant.ATOMIC_UPDATES.require(!free.isEmpty(), () -> "no order of " + describe(before));
      free.forEach(before::remove);
      before.values().forEach(some -> free.forEach(some::remove));
    }
  }

  /**
   * Adds the order of one sequence. Each update is in one piece there, after those that stand
   * before it.
   */
  private void addOrderOf(List<Operation> sequence, Map<Entry, Set<Entry>> before) {
    Entry previous = null;
    Set<Entry> seen = new LinkedHashSet<>();
    for (Operation operation : sequence) {
      Entry entry = byOperation.get(operation.number());
      if (entry != null && entry != previous && !lost(entry)) {
        Invariant.ATOMIC_UPDATES.require(
            seen.add(entry), () -> "update " + entry.key + " is in several pieces in " + sequence);
        Set<Entry> those = before.computeIfAbsent(entry, absent -> new LinkedHashSet<>());
        if (previous != null) {
          those.add(previous);
        }
        previous = entry;
      }
    }
  }

  private static void addOrderOfSession(List<Entry> updates, Map<Entry, Set<Entry>> before) {
    List<Entry> those = updates.stream().filter(before::containsKey).toList();
    for (int i = 1; i < those.size(); i++) {
      before.get(those.get(i)).add(those.get(i - 1));
    }
  }

  private static SortedMap<String, List<String>> describe(Map<Entry, Set<Entry>> before) {
    SortedMap<String, List<String>> text = new TreeMap<>();
    before.forEach((entry, some) -> text.put(entry.key, some.stream().map(e -> e.key).toList()));
    return text;
  }
}
