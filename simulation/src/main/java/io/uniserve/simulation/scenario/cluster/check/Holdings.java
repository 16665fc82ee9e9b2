package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.simulation.model.ModelActor;
import io.uniserve.simulation.model.ModelObserver;
import io.uniserve.simulation.model.Operation;
import io.uniserve.simulation.scenario.cluster.work.ClusterShape;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The operations that each open actor of each server has applied, as seen from outside, and those
 * that actors had before they were closed and have not applied again.
 */
public final class Holdings {
  /** As many as {@code ReplicaOrder} waits for before it lets later updates pass. */
  private static final int FAILURES_OF_REFUSED = 2;

  private final Map<String, Map<ModelActor, Set<Long>>> byServer = new LinkedHashMap<>();

  /**
   * The operations that actors of the one table had when they were closed, and have not applied
   * again, by server and number of the actor. They may be in the log of the copy, which is opened
   * anew when its engine has failed.
   */
  private final Map<String, Map<Integer, Set<Operation>>> closed = new LinkedHashMap<>();

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
    Map<Integer, Set<Operation>> former = new LinkedHashMap<>();
    byServer.put(server, actors);
    closed.put(server, former);
    return new ModelObserver() {
      @Override
      public void opened(ModelActor actor) {
        actors.put(actor, numbers(actor.journal()));
        if (isOfTable(actor) && former.containsKey(actor.context().actor())) {
          Set<Operation> missing = former.get(actor.context().actor());
          missing.removeAll(actor.journal());
          forgotten.accept(numbers(missing));
        }
      }

      @Override
      public void applied(ModelActor actor, List<Operation> operations) {
        actors.get(actor).addAll(numbers(operations));
        if (isOfTable(actor) && former.containsKey(actor.context().actor())) {
          operations.forEach(former.get(actor.context().actor())::remove);
        }
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
          former
              .computeIfAbsent(actor.context().actor(), absent -> new LinkedHashSet<>())
              .addAll(actor.journal());
        }
      }
    };
  }

  private static Set<Long> numbers(Collection<Operation> operations) {
    Set<Long> numbers = new LinkedHashSet<>();
    operations.forEach(operation -> numbers.add(operation.number()));
    return numbers;
  }

  /** Notes that the process has ended, and with it all its open actors. */
  public void ended(String server) {
    byServer.put(server, new LinkedHashMap<>());
    closed.put(server, Map.of());
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

  /**
   * Returns the operations that actors of the one table had when a server closed them, and have not
   * applied again.
   */
  Set<Operation> closed(String server) {
    Set<Operation> all = new LinkedHashSet<>();
    closed.getOrDefault(server, Map.of()).values().forEach(all::addAll);
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

  /** Returns the servers of which an open actor has an operation. */
  List<String> holders(long operation) {
    return byServer.entrySet().stream()
        .filter(
            server ->
                server.getValue().values().stream().anyMatch(held -> held.contains(operation)))
        .map(Map.Entry::getKey)
        .toList();
  }
}
