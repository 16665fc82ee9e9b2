package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.simulation.model.ModelActor;
import io.uniserve.simulation.model.ModelObserver;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The operations that each open actor of each server has applied, as seen from outside. */
public final class Holdings {
  /** As many as {@code ReplicaOrder} waits for before it lets later updates pass. */
  private static final int FAILURES_OF_REFUSED = 2;

  private final Map<String, Map<ModelActor, Set<Long>>> byServer = new LinkedHashMap<>();
  private final Set<Long> everHeld = new HashSet<>();

  /** The number of failures of engine code, by operation. */
  private final Map<Long, Integer> failures = new HashMap<>();

  /**
   * Returns the observer of a server's next life.
   *
   * @param forgotten receives the numbers of operations that an actor had before it was closed, and
   *     has not when it is opened again
   */
  public ModelObserver observer(String server, Consumer<Set<Long>> forgotten) {
    Map<ModelActor, Set<Long>> actors = new LinkedHashMap<>();
    Map<Integer, Set<Long>> former = new LinkedHashMap<>();
    byServer.put(server, actors);
    return new ModelObserver() {
      @Override
      public void opened(ModelActor actor) {
        actors.put(actor, numbers(actor.journal()));
        if (isOfTable(actor) && former.containsKey(actor.context().actor())) {
          Set<Long> missing = former.remove(actor.context().actor());
          missing.removeAll(actors.get(actor));
          forgotten.accept(missing);
        }
      }

      @Override
      public void applied(ModelActor actor, List<Operation> operations) {
        actors.get(actor).addAll(numbers(operations));
        everHeld.addAll(numbers(operations));
      }

      @Override
      public void failed(List<Operation> operations) {
        numbers(operations).forEach(number -> failures.merge(number, 1, Integer::sum));
      }

      @Override
      public void closed(ModelActor actor) {
        Set<Long> had = actors.remove(actor);
        if (isOfTable(actor) && had != null) {
          former.put(actor.context().actor(), had);
        }
      }
    };
  }

  private static Set<Long> numbers(List<Operation> operations) {
    Set<Long> numbers = new LinkedHashSet<>();
    operations.forEach(operation -> numbers.add(operation.number()));
    return numbers;
  }

  /** Notes that the process has ended, and with it all its open actors. */
  public void ended(String server) {
    byServer.put(server, new LinkedHashMap<>());
  }

  /** Returns the open actors of a server. */
  List<ModelActor> open(String server) {
    return new ArrayList<>(byServer.getOrDefault(server, Map.of()).keySet());
  }

  /** Returns whether a server has an actor of the one table open. */
  boolean hasOpen(String server, int actor) {
    return byServer.getOrDefault(server, Map.of()).keySet().stream()
        .anyMatch(open -> isOfTable(open) && open.context().actor() == actor);
  }

  /** Returns all operations that the open actors of the one table have applied on a server. */
  Set<Operation> of(String server) {
    Set<Operation> all = new LinkedHashSet<>();
    byServer.getOrDefault(server, Map.of()).keySet().stream()
        .filter(Holdings::isOfTable)
        .forEach(actor -> all.addAll(actor.journal()));
    return all;
  }

  private static boolean isOfTable(ModelActor actor) {
    return actor.context().table().name().equals(ClusterShape.TABLE);
  }

  /** Returns whether engine code failed so often on an operation that its actor refuses it. */
  public boolean mayBeRefused(Operation operation) {
    return failures.getOrDefault(operation.number(), 0) >= FAILURES_OF_REFUSED;
  }

  /** Returns whether any server has ever applied an operation. */
  public boolean wasHeld(long operation) {
    return everHeld.contains(operation);
  }

  /** Returns the servers that have an operation. */
  List<String> holders(long operation) {
    return byServer.entrySet().stream()
        .filter(
            server ->
                server.getValue().values().stream().anyMatch(held -> held.contains(operation)))
        .map(Map.Entry::getKey)
        .toList();
  }
}
