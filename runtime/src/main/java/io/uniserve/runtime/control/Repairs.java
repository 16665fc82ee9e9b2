package io.uniserve.runtime.control;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.Keys;
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
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyRetiring;
import io.uniserve.runtime.wire.cluster.ControlRecord.CopyUnready;
import io.uniserve.runtime.wire.cluster.ControlRecord.MoveEnded;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.MoveState;
import io.uniserve.runtime.wire.cluster.Placed;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Keeps every actor at its number of copies: adds some where servers were lost, and removes the
 * lost and the surplus once enough are readable again, never before.
 */
final class Repairs {
  private static final String TOO_MANY = "one copy too many";

  private final Decisions decisions;
  private final PlacementPolicy placement;
  private final Predicate<String> awaited;
  private final Separations separations;
  private final HandOvers handOvers;

  /**
   * @param awaited whether a server that is away is about to come back
   * @param separations which copies their primaries do not reach
   */
  Repairs(
      Decisions decisions,
      PlacementPolicy placement,
      Predicate<String> awaited,
      Separations separations,
      HandOvers handOvers) {
    this.separations = separations;
    this.decisions = decisions;
    this.placement = placement;
    this.awaited = awaited;
    this.handOvers = handOvers;
  }

  /** The servers of a new table's actors; none of such a number as was merged with another. */
  List<List<String>> placementOf(long id, TableDefinition definition) {
    ClusterState state = decisions.state();
    long alive = state.servers().keySet().stream().filter(state::takesCopies).count();
    if (alive < definition.replicas()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "table '"
              + definition.name()
              + "' wants "
              + definition.replicas()
              + " copies, but "
              + alive
              + " servers take copies");
    }
    TreeMap<ActorId, ClusterLoad.ActorLoad> actors = new TreeMap<>(load().actors());
    for (int number : definition.partitioner().actorsOf(Keys.ALL)) {
      actors.put(
          new ActorId(id, number),
          new ClusterLoad.ActorLoad(definition.replicas(), 0, Usage.NONE, List.of()));
    }
    Placement placed = place(new ClusterLoad(load().servers(), actors));
    return IntStream.range(0, definition.actors())
        .mapToObj(
            number ->
                definition.partitioner().has(number)
                    ? placed.of(new ActorId(id, number)).stream()
                        .map(Placement.Copy::server)
                        .toList()
                    : List.<String>of())
        .toList();
  }

  /** Adds a copy wherever the living servers allow another. */
  void addMissing() {
    ClusterState state = decisions.state();
    int servers =
        (int)
            state.servers().keySet().stream()
                .filter(server -> state.alive(server) || awaited.test(server))
                .count();
    List<ActorId> lacking = new ArrayList<>();
    for (TableState table : state.tables().values()) {
      for (int number = 0; number < table.actors().size(); number++) {
        if (lacks(table, number, servers)) {
          lacking.add(table.actorId(number));
        }
      }
    }
    if (!lacking.isEmpty()) {
      addCopies(lacking);
    }
  }

  private boolean lacks(TableState table, int number, int servers) {
    ActorState actor = table.actors().get(number);
    if (actor.ended()) {
      return false;
    }
    int separate = separate(table.actorId(number), actor);
    int enough = Math.min(table.definition().replicas(), servers - separate);
    int living = 0;
    for (CopyState copy : actor.copies()) {
      living += decisions.state().alive(copy.server()) || awaited.test(copy.server()) ? 1 : 0;
    }
    return living - separate < enough && hasSource(table, actor);
  }

  /** The copies on living servers in whose place others are made, since nobody can update them. */
  private int separate(ActorId id, ActorState actor) {
    int separate = 0;
    for (CopyState copy : actor.copies()) {
      boolean lives = decisions.state().alive(copy.server());
      separate += lives && separations.isToBeReplaced(id, copy) ? 1 : 0;
    }
    return separate;
  }

  /** Tells whether there is, or is to be, a primary that a new copy can follow. */
  private boolean hasSource(TableState table, ActorState actor) {
    return actor.complete().stream().anyMatch(decisions.state()::alive)
        || table.definition().durability() == Durability.SYNCHRONOUS
        || actor.anyMayLead();
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

  /** Where the copies of an actor are to be that has none left. */
  List<String> serversOf(ActorId id) {
    List<String> placed =
        place(load()).of(id).stream()
            .map(Placement.Copy::server)
            .filter(decisions.state()::takesCopies)
            .toList();
    if (placed.isEmpty()) {
      throw new UniserveException(ErrorCode.UNAVAILABLE, "no server takes copies");
    }
    return placed;
  }

  /**
   * Removes what is not needed any more; true if the actor has all its copies, readable, and no
   * others.
   */
  boolean ensureWhole(ActorId id) {
    ActorState actor = decisions.state().actor(id).orElseThrow();
    List<CopyState> placed = placed(actor);
    int wanted = Math.max(replicas(id), placed.size());
    boolean level = placed.stream().allMatch(copy -> isReadable(actor, copy.server()));
    if (readable(actor) < wanted || !level || !primaryReadable(actor)) {
      // A primary that is not readable is kept in the place of a copy that is.
      return false;
    }
    if (actor.move().isPresent()) {
      return false;
    }
    if (actor.copies().size() > wanted && primaryGoes(id, actor, placed)) {
      return false;
    }
    List<CopyState> kept = new ArrayList<>(actor.copies());
    kept.sort(Comparator.comparing((CopyState copy) -> rank(actor, copy)));
    List<ControlRecord> records = new ArrayList<>();
    for (CopyState surplus : kept.subList(wanted, kept.size())) {
      records.addAll(remove(id, surplus));
    }
    record(id, records, wanted);
    return decisions.state().actor(id).orElseThrow().copies().size() == wanted;
  }

  private int replicas(ActorId id) {
    return decisions.state().tables().get(id.table()).definition().replicas();
  }

  /**
   * The copies that are where they are wanted, or pinned though no policy has decided since; those
   * of servers about to go do not count.
   */
  private List<CopyState> placed(ActorState actor) {
    return actor.copies().stream()
        .filter(
            copy -> actor.wanted().contains(copy.server()) || actor.pins().contains(copy.server()))
        .filter(copy -> decisions.state().takesCopies(copy.server()) || awaited.test(copy.server()))
        .toList();
  }

  /** A primary that is surplus hands over before it goes. */
  private boolean primaryGoes(ActorId id, ActorState actor, List<CopyState> placed) {
    boolean stays =
        placed.isEmpty() || placed.stream().anyMatch(copy -> copy.server().equals(actor.primary()));
    if (!stays) {
      String why = actor.placed().map(Placed::why).orElse("a copy that is pinned stays");
      handOvers.begin(id, actor, placed.getFirst().server(), why);
    }
    return !stays;
  }

  /** Whoever lives and is read is told first, and goes once it says that it answers no more. */
  private List<ControlRecord> remove(ActorId id, CopyState surplus) {
    if (!decisions.state().alive(surplus.server())) {
      return List.of(new CopyRemoved(id, surplus.server(), "replaced after its server failed"));
    }
    return switch (surplus.status()) {
      case READY -> List.of(new CopyRetiring(id, surplus.server(), TOO_MANY));
      case RETIRING -> List.of();
      case EMPTY, LOADING -> List.of(new CopyRemoved(id, surplus.server(), TOO_MANY));
    };
  }

  private void record(ActorId id, List<ControlRecord> records, int enough) {
    if (!records.isEmpty()) {
      decisions.record(records);
      int left = (int) readable(decisions.state().actor(id).orElseThrow());
      Invariant.MOVES_KEEP_COPIES.require(
          left >= enough, () -> left + " readable copies of " + id + " are left");
    }
  }

  /**
   * A copy answers no reads any more: it goes, if the others suffice. Otherwise it is needed after
   * all, and made anew. Not before it has said so: as long as it may answer, updates wait for it.
   */
  void retired(ActorId id, String server) {
    ActorState actor = decisions.state().actor(id).orElseThrow();
    if (readable(actor) < enough(id)) {
      decisions.record(List.of(new CopyUnready(id, server, "needed after all")));
      return;
    }
    if (!primaryReadable(actor)) {
      return;
    }
    Optional<MoveState> move = actor.move().filter(known -> known.from().equals(server));
    List<ControlRecord> records = new ArrayList<>();
    records.add(
        new CopyRemoved(id, server, move.map(known -> "moved to " + known.to()).orElse(TOO_MANY)));
    move.ifPresent(
        known ->
            records.add(
                new MoveEnded(id, known.from(), known.to(), MoveEnded.Outcome.DONE, known.why())));
    record(id, records, enough(id));
  }

  /** Whether one readable copy may go and as many as there can be are left. */
  boolean canSpare(ActorId id, String server) {
    ActorState actor = decisions.state().actor(id).orElseThrow();
    long left = readable(actor) - (isReadable(actor, server) ? 1 : 0);
    return left >= enough(id) && primaryReadable(actor) && !actor.primary().equals(server);
  }

  /** As many readable copies as the servers that may hold copies allow. */
  private int enough(ActorId id) {
    ClusterState state = decisions.state();
    int wanted = replicas(id);
    long servers = state.servers().keySet().stream().filter(state::takesCopies).count();
    return Math.clamp(servers, 1, wanted);
  }

  private boolean isReadable(ActorState actor, String server) {
    return decisions.state().alive(server)
        && actor.copyOn(server).filter(copy -> copy.status() == Status.READY).isPresent();
  }

  private boolean primaryReadable(ActorState actor) {
    return isReadable(actor, actor.primary());
  }

  private long readable(ActorState actor) {
    return actor.copies().stream().filter(copy -> isReadable(actor, copy.server())).count();
  }

  /** The primary is kept first, then what is wanted, what can be read and stays, what lives. */
  private int rank(ActorState actor, CopyState copy) {
    if (!decisions.state().alive(copy.server())) {
      return 5;
    }
    if (copy.server().equals(actor.primary())) {
      return 0;
    }
    if (copy.status() != Status.READY) {
      return 4;
    }
    if (!decisions.state().takesCopies(copy.server())) {
      return 3;
    }
    boolean wanted =
        actor.pins().contains(copy.server())
            || actor.placed().filter(known -> known.wants(copy.server())).isPresent();
    return wanted ? 1 : 2;
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
    state.servers().keySet().stream()
        .filter(state::takesCopies)
        .forEach(server -> servers.put(server, new ClusterLoad.ServerLoad(0, Usage.NONE, 0)));
    TreeMap<ActorId, ClusterLoad.ActorLoad> actors = new TreeMap<>();
    for (TableState table : state.tables().values()) {
      for (int number = 0; number < table.actors().size(); number++) {
        ActorState actor = table.actors().get(number);
        if (!actor.ended()) {
          ActorId id = table.actorId(number);
          int wanted = table.definition().replicas() + separate(id, actor);
          actors.put(
              id, new ClusterLoad.ActorLoad(wanted, 0, Usage.NONE, LoadView.staying(state, actor)));
        }
      }
    }
    return new ClusterLoad(servers, actors);
  }
}
