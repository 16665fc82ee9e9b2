package io.uniserve.simulation.scenario.scale;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The state of a cluster with nothing left to do: every actor is on servers that stay, as many as
 * it should be, and each machine holds exactly what it is assigned.
 */
record Rest(ClusterState state, Machines machines) {

  boolean reached() {
    return obstacle().isEmpty();
  }

  /** Returns something that is left to do; empty if there is nothing. */
  Optional<String> obstacle() {
    return fleet().or(this::assignments).or(this::disks);
  }

  private Optional<String> fleet() {
    for (String name : state.scaling().fleet()) {
      if (!state.alive(name)) {
        return Optional.of(name + " is wanted and does not live");
      }
    }
    for (ServerState server : state.servers().values()) {
      boolean wanted =
          state.scaling().settings().isEmpty() || state.scaling().fleet().contains(server.name());
      if (server.alive() && (!wanted || server.draining())) {
        return Optional.of(server + " is to go");
      }
    }
    return Optional.empty();
  }

  private Optional<String> assignments() {
    for (TableState table : state.tables().values()) {
      for (int number = 0; number < table.actors().size(); number++) {
        ActorState actor = table.actors().get(number);
        if (!isWhole(table, actor)) {
          return Optional.of(table.actorId(number) + " is " + actor);
        }
      }
    }
    return Optional.empty();
  }

  private boolean isWhole(TableState table, ActorState actor) {
    long placed =
        actor.copies().stream().filter(copy -> actor.wanted().contains(copy.server())).count();
    int copies = Math.max(table.definition().replicas(), (int) placed);
    return actor.move().isEmpty()
        && actor.copies().size() == copies
        && actor.copies().stream().allMatch(this::isUsed);
  }

  private boolean isUsed(CopyState copy) {
    return Watch.readable(state, copy) && state.takesCopies(copy.server());
  }

  private Optional<String> disks() {
    Map<String, Set<ActorId>> assigned = new TreeMap<>();
    state.forEachActor(
        (id, actor) ->
            actor
                .copies()
                .forEach(
                    copy ->
                        assigned.computeIfAbsent(copy.server(), name -> new TreeSet<>()).add(id)));
    for (Machine machine : machines.all()) {
      Set<ActorId> holds = machine.disk().keySet();
      Set<ActorId> should = assigned.getOrDefault(machine.name(), Set.of());
      if (state.alive(machine.name()) && !holds.equals(should)) {
        Set<ActorId> different = new TreeSet<>(holds);
        different.addAll(should);
        different.removeIf(id -> holds.contains(id) && should.contains(id));
        return Optional.of(machine.name() + " should hold or not hold " + different);
      }
    }
    return Optional.empty();
  }
}
