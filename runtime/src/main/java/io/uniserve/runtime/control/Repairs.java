package io.uniserve.runtime.control;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.UniserveException;
import io.uniserve.api.Usage;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyAdded;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyRemoved;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Keeps every actor at its number of copies: adds some where servers were lost, and removes the
 * lost and the surplus once enough are readable again, never before.
 */
final class Repairs {
  private final Decisions decisions;
  private final PlacementPolicy placement;

  Repairs(Decisions decisions, PlacementPolicy placement) {
    this.decisions = decisions;
    this.placement = placement;
  }

  /** The servers of a new table's actors. */
  List<List<String>> placementOf(long id, TableDefinition definition) {
    long alive = decisions.state().servers().values().stream().filter(ServerState::alive).count();
    if (alive < definition.replicas()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "table '"
              + definition.name()
              + "' wants "
              + definition.replicas()
              + " copies, but "
              + alive
              + " servers are alive");
    }
    TreeMap<ActorId, ClusterLoad.ActorLoad> actors = new TreeMap<>(load().actors());
    for (int number = 0; number < definition.actors(); number++) {
      actors.put(
          new ActorId(id, number),
          new ClusterLoad.ActorLoad(definition.replicas(), 0, Usage.NONE, List.of()));
    }
    Placement placed = place(new ClusterLoad(load().servers(), actors));
    return IntStream.range(0, definition.actors())
        .mapToObj(
            number ->
                placed.of(new ActorId(id, number)).stream().map(Placement.Copy::server).toList())
        .toList();
  }

  /** Adds a copy wherever the living servers allow another. */
  void addMissing() {
    ClusterState state = decisions.state();
    int servers = (int) state.servers().values().stream().filter(ServerState::alive).count();
    List<ActorId> lacking = new ArrayList<>();
    for (TableState table : state.tables().values()) {
      for (int number = 0; number < table.actors().size(); number++) {
        if (lacks(table, table.actors().get(number), servers)) {
          lacking.add(table.actorId(number));
        }
      }
    }
    if (!lacking.isEmpty()) {
      addCopies(lacking);
    }
  }

  private boolean lacks(TableState table, ActorState actor, int servers) {
    long living =
        actor.copies().stream().filter(copy -> decisions.state().alive(copy.server())).count();
    boolean source =
        decisions.state().alive(actor.primary())
            || living > 0
            || table.definition().durability() != Durability.NONE;
    return source && living < Math.min(table.definition().replicas(), servers);
  }

  private void addCopies(List<ActorId> lacking) {
    Placement placed = place(load());
    List<ControlRecord> records = new ArrayList<>();
    for (ActorId id : lacking) {
      ActorState actor = decisions.state().actor(id).orElseThrow();
      for (Placement.Copy copy : placed.of(id)) {
        if (actor.copyOn(copy.server()).isEmpty()) {
          records.add(new CopyAdded(id, copy.server(), "too few copies on living servers"));
        }
      }
    }
    if (!records.isEmpty()) {
      decisions.record(records);
    }
  }

  /**
   * Removes what is not needed any more; true if the actor has all its copies, readable, and no
   * others.
   */
  boolean ensureWhole(ActorId id) {
    ActorState actor = decisions.state().actor(id).orElseThrow();
    int wanted = decisions.state().tables().get(id.table()).definition().replicas();
    if (readable(actor) < wanted || !primaryReadable(actor)) {
      // A primary that is not readable is kept in the place of a copy that is.
      return false;
    }
    List<CopyState> kept = new ArrayList<>(actor.copies());
    kept.sort(Comparator.comparing((CopyState copy) -> rank(actor, copy)));
    List<ControlRecord> records = new ArrayList<>();
    for (CopyState surplus : kept.subList(wanted, kept.size())) {
      String why =
          decisions.state().alive(surplus.server())
              ? "one copy too many"
              : "replaced after its server failed";
      records.add(new CopyRemoved(id, surplus.server(), why));
    }
    if (!records.isEmpty()) {
      decisions.record(records);
      int left = (int) readable(decisions.state().actor(id).orElseThrow());
      Invariant.MOVES_KEEP_COPIES.require(
          left >= wanted, () -> left + " readable copies of " + id + " are left");
    }
    return true;
  }

  private boolean primaryReadable(ActorState actor) {
    return decisions.state().alive(actor.primary())
        && actor.copyOn(actor.primary()).stream().anyMatch(copy -> copy.status() == Status.READY);
  }

  private long readable(ActorState actor) {
    return actor.copies().stream()
        .filter(copy -> copy.status() == Status.READY && decisions.state().alive(copy.server()))
        .count();
  }

  /** The primary is kept first, then what can be read, then what lives. */
  private int rank(ActorState actor, CopyState copy) {
    boolean alive = decisions.state().alive(copy.server());
    if (copy.server().equals(actor.primary()) && alive) {
      return 0;
    }
    if (alive) {
      return copy.status() == Status.READY ? 1 : 2;
    }
    return 3;
  }

  private Placement place(ClusterLoad load) {
    Placement placed = placement.place(load);
    placed
        .copies()
        .forEach(
            (id, copies) ->
                Invariant.VALID_ASSIGNMENT.require(
                    copies.stream().map(Placement.Copy::server).distinct().count() == copies.size()
                        && copies.stream()
                            .allMatch(copy -> load.servers().containsKey(copy.server())),
                    () -> "the placement policy puts " + id + " on " + copies));
    return placed;
  }

  private ClusterLoad load() {
    ClusterState state = decisions.state();
    TreeMap<String, ClusterLoad.ServerLoad> servers = new TreeMap<>();
    state.servers().values().stream()
        .filter(ServerState::alive)
        .forEach(
            server -> servers.put(server.name(), new ClusterLoad.ServerLoad(0, Usage.NONE, 0)));
    TreeMap<ActorId, ClusterLoad.ActorLoad> actors = new TreeMap<>();
    for (TableState table : state.tables().values()) {
      for (int number = 0; number < table.actors().size(); number++) {
        ActorState actor = table.actors().get(number);
        actors.put(
            table.actorId(number),
            new ClusterLoad.ActorLoad(
                table.definition().replicas(), 0, Usage.NONE, livingCopies(actor)));
      }
    }
    return new ClusterLoad(servers, actors);
  }

  /** The primary first. */
  private List<String> livingCopies(ActorState actor) {
    return actor.copies().stream()
        .map(CopyState::server)
        .filter(decisions.state()::alive)
        .sorted(Comparator.comparing(server -> !server.equals(actor.primary())))
        .toList();
  }
}
