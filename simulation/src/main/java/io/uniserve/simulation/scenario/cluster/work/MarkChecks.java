package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.TableDefinition;
import io.uniserve.kernel.Invariant;
import io.uniserve.simulation.model.Marks;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The checks of a table whose schema changes. Every copy that answers has the marks that cluster
 * state says; an acknowledged change stays, and no other is lost with it.
 */
public final class MarkChecks {
  private final Supplier<TableDefinition> truth;
  private final boolean nothingIsLost;
  private final Supplier<Instant> now;
  private final SortedMap<Long, Instant> added = new TreeMap<>();
  private final SortedSet<Long> removing = new TreeSet<>();
  private final SortedMap<Long, Instant> removed = new TreeMap<>();
  private long reads;

  /**
   * @param truth returns the definition that cluster state has now
   * @param nothingIsLost true if the table's settings promise that no update is lost
   * @param now returns the time
   */
  public MarkChecks(Supplier<TableDefinition> truth, boolean nothingIsLost, Supplier<Instant> now) {
    this.truth = truth;
    this.nothingIsLost = nothingIsLost;
    this.now = now;
  }

  void added(long id) {
    added.put(id, now.get());
  }

  void removing(long id) {
    removing.add(id);
  }

  void removed(long id) {
    removed.put(id, now.get());
  }

  /**
   * Checks answers of actors.
   *
   * @param known the marks that the table had before the actors were asked, as far as the client
   *     knew
   */
  void read(List<Long> known, SortedMap<Integer, Marks> held) {
    reads++;
    if (nothingIsLost) {
      List<Long> still = Marks.of(truth.get()).ids().stream().filter(known::contains).toList();
      held.forEach(
          (actor, marks) ->
              Invariant.READ_AFTER_ACKNOWLEDGEMENT.require(
                  marks.ids().containsAll(still),
                  () -> "the table has " + still + ", and actor " + actor + " has " + marks));
    }
  }

  /** Checks the final marks. */
  public void check() {
    List<Long> last = Marks.of(truth.get()).ids();
    check(last, added, removed, "at the end");
  }

  /** Checks marks that were restored as of a moment, while no clock was wrong. */
  public void checkRestored(Marks marks, Instant moment) {
    SortedMap<Long, Instant> removedBefore = before(removed, moment);
    SortedMap<Long, Instant> addedBefore = before(added, moment);
    if (nothingIsLost) {
      check(marks.ids(), addedBefore, removedBefore, "as of " + moment);
    }
  }

  private static SortedMap<Long, Instant> before(SortedMap<Long, Instant> all, Instant moment) {
    SortedMap<Long, Instant> some = new TreeMap<>(all);
    some.values().removeIf(at -> !at.isBefore(moment));
    return some;
  }

  private void check(
      List<Long> ids, Map<Long, Instant> there, Map<Long, Instant> gone, String when) {
    there.forEach(
        (id, at) ->
            Invariant.ACKNOWLEDGED_SURVIVES.require(
                removing.contains(id) || ids.contains(id),
                () -> "mark " + id + ", given at " + at + ", is not in " + ids + " " + when));
    gone.forEach(
        (id, at) ->
            Invariant.ACKNOWLEDGED_SURVIVES.require(
                !ids.contains(id),
                () -> "mark " + id + ", taken at " + at + ", is in " + ids + " " + when));
  }

  /** Returns a summary for people. */
  @Override
  public String toString() {
    return added.size() + " marks given, " + removed.size() + " taken, " + reads + " looked at";
  }
}
