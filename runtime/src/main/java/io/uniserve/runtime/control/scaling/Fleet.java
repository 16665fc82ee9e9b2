package io.uniserve.runtime.control.scaling;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The servers that the cluster starts and ends itself, derived from one cluster state. */
final class Fleet {
  private final ClusterState state;
  private final ServerNames names;
  private final Set<String> fleet;
  private final List<String> wanted;
  private Optional<Set<String>> holders = Optional.empty();

  /**
   * @param state the cluster
   * @param names the names of those servers
   */
  Fleet(ClusterState state, ServerNames names) {
    this.state = state;
    this.names = names;
    fleet = new TreeSet<>(state.scaling().fleet());
    TreeMap<Integer, String> byNumber = new TreeMap<>();
    fleet.forEach(name -> names.number(name).ifPresent(number -> byNumber.put(number, name)));
    wanted = List.copyOf(byNumber.values());
  }

  /** Returns whether this was derived from a state. */
  boolean isOf(ClusterState other) {
    return state == other;
  }

  /** Returns the servers that the cluster should have, by number. */
  List<String> wanted() {
    return wanted;
  }

  /** Returns the servers that the cluster knows. */
  private Stream<ServerState> known() {
    return state.servers().values().stream().filter(server -> names.matches(server.name()));
  }

  /**
   * Returns the servers with which a fleet begins: those that are alive, and all below them if
   * numbers have no gaps.
   */
  List<String> first(boolean anyOrder) {
    List<String> living =
        known().filter(ServerState::alive).map(ServerState::name).sorted(names.order()).toList();
    if (anyOrder || living.isEmpty()) {
      return living;
    }
    int last = names.number(living.getLast()).orElseThrow();
    return IntStream.rangeClosed(names.first(), last).mapToObj(names::name).toList();
  }

  private Stream<ServerState> unwanted() {
    return known().filter(server -> !fleet.contains(server.name()));
  }

  /** Returns the living servers that are to go and are not being emptied yet. */
  List<String> toDrain() {
    return unwanted()
        .filter(server -> server.alive() && !server.draining())
        .map(ServerState::name)
        .toList();
  }

  /**
   * Returns the living servers that are to go and hold nothing; none of them gets a copy any more.
   */
  List<ServerState> toRelease() {
    return unwanted()
        .filter(server -> server.alive() && server.draining() && !server.leaving())
        .filter(server -> !holds(server.name()))
        .toList();
  }

  /** Returns whether a server that is to go is still alive. */
  boolean shrinks() {
    return unwanted().anyMatch(ServerState::alive);
  }

  /** Returns whether a server that will hold nothing again in its present life is still alive. */
  boolean ends() {
    return unwanted().anyMatch(server -> server.alive() && server.leaving());
  }

  /** Returns whether every server that the cluster should have is alive. */
  boolean complete() {
    return wanted().stream().allMatch(state::alive);
  }

  /** Returns whether any copy is being moved. */
  boolean moves() {
    return actors().anyMatch(actor -> actor.move().isPresent());
  }

  /**
   * Returns all servers that must run: those that are wanted, and others that may still hold
   * something.
   */
  SortedSet<String> running() {
    TreeSet<String> running = new TreeSet<>(wanted());
    unwanted()
        .filter(server -> server.alive() && !server.leaving() || holds(server.name()))
        .forEach(server -> running.add(server.name()));
    return running;
  }

  private boolean holds(String server) {
    if (holders.isEmpty()) {
      Set<String> all = new TreeSet<>();
      actors()
          .forEach(
              actor -> {
                actor.copies().forEach(copy -> all.add(copy.server()));
                actor.move().ifPresent(move -> all.add(move.to()));
              });
      holders = Optional.of(all);
    }
    return holders.get().contains(server);
  }

  private Stream<ActorState> actors() {
    return state.tables().values().stream().flatMap(table -> table.actors().stream());
  }

  /**
   * Returns the fleet grown to a size. Servers that are still there come back first, then new ones
   * come.
   */
  List<String> grown(int size, boolean anyOrder) {
    Set<String> grown = new TreeSet<>(wanted);
    if (anyOrder) {
      unwanted()
          .filter(ServerState::alive)
          .map(ServerState::name)
          .sorted(names.order())
          .limit(Math.max(0, size - grown.size()))
          .forEach(grown::add);
    }
    for (int number = names.first(); grown.size() < size; number++) {
      grown.add(names.name(number));
    }
    return grown.stream().sorted(names.order()).toList();
  }

  /**
   * Returns the fleet shrunk to a size. Servers with the highest numbers leave, unless others are
   * preferred.
   *
   * @throws UniserveException if the rest cannot hold the copies that some table wants
   */
  List<String> shrunk(int size, List<String> leaveFirst) {
    Set<String> order = new LinkedHashSet<>(leaveFirst);
    order.addAll(wanted.reversed());
    Set<String> staying = new TreeSet<>(wanted);
    List<String> leaving =
        order.stream().filter(staying::contains).limit(wanted.size() - size).toList();
    leaving.forEach(staying::remove);
    requireEnough(staying);
    return staying.stream().sorted(names.order()).toList();
  }

  private void requireEnough(Set<String> fleetLeft) {
    long staying =
        state.servers().keySet().stream()
            .filter(state::takesCopies)
            .filter(name -> !names.matches(name) || fleetLeft.contains(name))
            .count();
    Optional<TableState> largest =
        state.tables().values().stream()
            .max(Comparator.comparingInt(table -> table.definition().replicas()));
    largest
        .filter(table -> table.definition().replicas() > staying)
        .ifPresent(
            table -> {
              throw UniserveException.invalid(
                  "table '"
                      + table.definition().name()
                      + "' keeps "
                      + table.definition().replicas()
                      + " copies on as many servers, and "
                      + staying
                      + " would be left");
            });
  }
}
