package io.uniserve.simulation.scenario.cluster.work;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.client.QueryOptions;
import io.uniserve.runtime.client.cluster.ClusterClient;
import io.uniserve.simulation.model.Marks;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.model.ReadMarks;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;

/** Restores of the table as of some moments of the run, which are compared with its later state. */
public final class Restores {
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final Environment environment;
  private final ClusterClient client;
  private final PastReader past;
  private final Store store;
  private final Set<Instant> missing = new LinkedHashSet<>();
  private final Map<Instant, SortedMap<Integer, List<Operation>>> restored = new LinkedHashMap<>();
  private final Map<Instant, Marks> marks = new LinkedHashMap<>();
  private boolean done;

  /** The moments that a store can restore. */
  public enum Store {
    /** Every moment can be restored. */
    GAPLESS,
    /** Those moments cannot be restored at which the table was led without the store. */
    WITH_GAPS,
    /** Objects are damaged or missing. A restore may fail. */
    DAMAGED
  }

  /**
   * @param store the moments that it can restore
   */
  public Restores(Environment environment, ClusterClient client, Store store) {
    this.store = store;
    this.environment = environment;
    this.client = client;
    this.past = new PastReader(client, TIMEOUT);
  }

  public void start(List<Instant> moments) {
    environment
        .threads()
        .start(
            "restores",
            () -> {
              moments.forEach(this::restore);
              done = true;
            });
  }

  public boolean done() {
    return done;
  }

  private void restore(Instant moment) {
    String name = "restored-" + restored.size();
    while (!restored.containsKey(moment) && !missing.contains(moment)) {
      try {
        if (client.state().table(name).isEmpty()) {
          client.backups().backUp(ClusterShape.TABLE, TIMEOUT);
          past.restore(name, moment);
        }
        Redefiner.settle(
            client, name, TIMEOUT); // an earlier restore may have failed before this point
        marks.put(moment, marks(name));
        restored.put(moment, past.journals(name));
      } catch (UniserveException e) {
        if (mayFail(e)) {
          missing.add(moment);
        } else {
          requireSound(e);
          dropIfDamaged(name);
        }
      }
    }
  }

  /**
   * Drops a table whose restore may have failed for damage, which only the restore itself tells. It
   * is restored anew.
   */
  private void dropIfDamaged(String name) {
    if (store == Store.DAMAGED && client.state().table(name).isPresent()) {
      try {
        client.dropTable(name, TIMEOUT);
      } catch (UniserveException e) {
        Invariant.ACKNOWLEDGED_SURVIVES.require(
            e.retryable() || e.code() == ErrorCode.NOT_FOUND, e::toString);
      }
    }
  }

  private boolean mayFail(UniserveException e) {
    return switch (store) {
      case GAPLESS -> false;
      case WITH_GAPS -> e.code() == ErrorCode.NOT_FOUND;
      case DAMAGED -> e.code() == ErrorCode.NOT_FOUND || e.code() == ErrorCode.CORRUPT;
    };
  }

  /** Returns the restored table's marks, which all its actors must have. */
  private Marks marks(String name) {
    Marks said = Marks.of(client.state().requireTable(name).definition());
    client
        .query(ReadMarks.of(name), new QueryOptions(TIMEOUT))
        .forEach(
            (actor, held) ->
                Invariant.READ_AFTER_ACKNOWLEDGEMENT.require(
                    held.equals(said),
                    () -> "of " + name + ", actor " + actor + " has " + held + ", not " + said));
    return said;
  }

  /** Returns the marks as of a moment that was restored. */
  public Marks marks(Instant moment) {
    return marks.get(moment);
  }

  /**
   * Requires that a failed restore may succeed later: within the retention, every moment can be
   * restored. To a server whose clock is behind, a moment that has passed may lie in the future for
   * a while.
   */
  private static void requireSound(UniserveException e) {
    boolean future =
        e.code() == ErrorCode.INVALID_ARGUMENT
            && String.valueOf(e.getMessage()).endsWith("which is in the future");
    Invariant.ACKNOWLEDGED_SURVIVES.require(
        e.retryable() || e.code() == ErrorCode.ALREADY_EXISTS || future, e::toString);
  }

  /**
   * Checks that each restored journal is the beginning of the present one, and that later moments
   * have no less.
   *
   * @param excused tells which operations the present state may have lost, though the store still
   *     has them
   */
  public void check(
      SortedMap<Integer, List<Operation>> journals, Shapes shapes, Predicate<Operation> excused) {
    check(restored, journals, shapes, excused);
  }

  /**
   * Checks restored journals in the same way.
   *
   * @param restored the journals as of each moment
   */
  public static void check(
      Map<Instant, SortedMap<Integer, List<Operation>>> restored,
      SortedMap<Integer, List<Operation>> journals,
      Shapes shapes,
      Predicate<Operation> excused) {
    Set<Operation> present = new LinkedHashSet<>();
    journals.values().forEach(present::addAll);
    Predicate<Operation> lost =
        operation -> excused.test(operation) && !present.contains(operation);
    restored.forEach(
        (moment, actors) -> {
          Invariant.EXACT_ANSWER.require(
              shapes.were(actors.keySet()), () -> "as of " + moment + " there are " + actors);
          Map<List<Integer>, List<Operation>> now = byWay(journals, shapes);
          byWay(actors, shapes)
              .forEach(
                  (way, then) ->
                      Invariant.SAME_ORDER_ON_COPIES.require(
                          startsWith(now.getOrDefault(way, List.of()), without(lost, then)),
                          () -> "as of " + moment + " there was " + then + ", and now " + now));
        });
  }

  /**
   * Returns operations by the sequence of their actors. Those of one sequence are in one journal,
   * in order.
   */
  private static Map<List<Integer>, List<Operation>> byWay(
      SortedMap<Integer, List<Operation>> journals, Shapes shapes) {
    Map<List<Integer>, List<Operation>> byWay = new LinkedHashMap<>();
    journals.values().forEach(journal -> byWay.putAll(shapes.byWay(journal)));
    return byWay;
  }

  /** Returns the journals as of each restored moment. */
  public Map<Instant, SortedMap<Integer, List<Operation>>> restored() {
    return restored;
  }

  private static List<Operation> without(Predicate<Operation> lost, List<Operation> journal) {
    return journal.stream().filter(lost.negate()).toList();
  }

  private static boolean startsWith(List<Operation> whole, List<Operation> beginning) {
    return beginning.size() <= whole.size() && whole.subList(0, beginning.size()).equals(beginning);
  }
}
