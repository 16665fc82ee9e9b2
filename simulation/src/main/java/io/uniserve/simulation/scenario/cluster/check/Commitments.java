package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.simulation.model.Operation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** What each decision of the control log committed: of a transaction it has the name alone. */
public final class Commitments {
  private final ToIntFunction<Operation> actorOf;
  private final Map<String, List<Operation>> prepared = new LinkedHashMap<>();
  private final Map<Operation, Long> versions = new LinkedHashMap<>();

  public Commitments(ToIntFunction<Operation> actorOf) {
    this.actorOf = actorOf;
  }

  /** An actor is asked to prepare operations. */
  public void asked(String transaction, List<Operation> operations) {
    prepared.computeIfAbsent(transaction, absent -> new ArrayList<>()).addAll(operations);
  }

  /**
   * It was decided that a transaction happens on an actor.
   *
   * @return what it does there
   */
  public List<Operation> committed(int actor, String transaction, long version) {
    List<Operation> operations =
        prepared.getOrDefault(transaction, List.of()).stream()
            .filter(operation -> actorOf.applyAsInt(operation) == actor)
            .toList();
    operations.forEach(operation -> versions.put(operation, version));
    return operations;
  }

  /** Of each operation that was committed, the version of the table that has it first. */
  public Map<Operation, Long> versions() {
    return versions;
  }
}
