package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.simulation.model.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * The operations that each decision of the control log committed, since the log has only the name
 * of a transaction.
 */
public final class Commitments {
  private final ToIntFunction<Operation> actorOf;
  private final Map<String, List<Operation>> prepared = new LinkedHashMap<>();
  private final Map<Operation, Long> versions = new LinkedHashMap<>();
  private final Map<Operation, Set<Decision>> decisions = new LinkedHashMap<>();
  private final Set<Operation> former = new LinkedHashSet<>();
  private int replacements;

  /**
   * A decision that operations happen.
   *
   * @param replacements the number of tables that were replaced before
   * @param version the version of the table
   */
  record Decision(int replacements, long version) {}

  public Commitments(ToIntFunction<Operation> actorOf) {
    this.actorOf = actorOf;
  }

  /** Notes that an actor is asked to prepare operations. */
  public void asked(String transaction, List<Operation> operations) {
    prepared.computeIfAbsent(transaction, absent -> new ArrayList<>()).addAll(operations);
  }

  /**
   * Notes the decision that a transaction happens on an actor. An operation that a former
   * transaction has committed already keeps its version: it may be sent again in a group.
   *
   * @return its operations there
   */
  public List<Operation> committed(int actor, String transaction, long version) {
    List<Operation> operations =
        prepared.getOrDefault(transaction, List.of()).stream()
            .filter(operation -> actorOf.applyAsInt(operation) == actor)
            .toList();
    for (Operation operation : operations) {
      if (versions.putIfAbsent(operation, version) == null) {
        decisions
            .computeIfAbsent(operation, absent -> new LinkedHashSet<>())
            .add(new Decision(replacements, version));
      }
    }
    former.removeAll(operations);
    return operations;
  }

  /** Notes that another table has taken the place of the one table: versions begin anew. */
  public void replaced() {
    former.addAll(versions.keySet());
    versions.clear();
    replacements++;
  }

  /** Returns whether an operation was committed in a table that was replaced, and not since. */
  public boolean isFormer(Operation operation) {
    return former.contains(operation);
  }

  /** Returns, for each committed operation, the first version of the table that has it. */
  public Map<Operation, Long> versions() {
    return versions;
  }

  /**
   * Returns the decisions that operations happen, those of replaced tables, too. A table that was
   * recovered still knows the updates of its former table, and tells their places.
   */
  Set<Decision> decisionsOn(List<Operation> operations) {
    Set<Decision> found = new LinkedHashSet<>();
    operations.forEach(operation -> found.addAll(decisions.getOrDefault(operation, Set.of())));
    return found;
  }
}
