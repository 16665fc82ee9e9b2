package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.kernel.Invariant;
import io.uniserve.simulation.model.Operation;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Predicate;

/**
 * The operations that answers of a serializable table have shown. None may be lost afterwards, even
 * if it was never acknowledged. What a primary has decided alone is on every readable copy once it
 * was shown, so every later read shows it, too.
 */
public final class SeenUpdates {
  private final Predicate<Operation> excused;
  private final Set<Operation> alone = new LinkedHashSet<>();
  private final Set<Operation> prepared = new LinkedHashSet<>();
  private final Set<Operation> seen = new LinkedHashSet<>();

  /**
   * @param excused tells whether an operation may have been lost
   */
  public SeenUpdates(Predicate<Operation> excused) {
    this.excused = excused;
  }

  /** Notes that a primary is asked to decide about operations alone. */
  public void alone(List<Operation> operations) {
    alone.addAll(operations);
  }

  /** Notes that a primary is asked to prepare operations. */
  public void prepared(List<Operation> operations) {
    prepared.addAll(operations);
  }

  void answered(SortedMap<Integer, List<Operation>> journals) {
    journals.values().forEach(seen::addAll);
  }

  /** Returns the operations seen so far that every later answer must show. */
  List<Operation> lasting() {
    return seen.stream()
        .filter(operation -> alone.contains(operation) && !prepared.contains(operation))
        .toList();
  }

  /** Checks the final journals of all actors. */
  public void check(SortedMap<Integer, List<Operation>> journals) {
    Set<Operation> present = new LinkedHashSet<>();
    journals.values().forEach(present::addAll);
    seen.forEach(
        operation ->
            Invariant.ACKNOWLEDGED_SURVIVES.require(
                present.contains(operation) || excused.test(operation),
                () -> operation + " was seen, and is not in " + journals));
  }
}
