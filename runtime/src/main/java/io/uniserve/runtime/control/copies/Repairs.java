package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.Usage;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.api.policy.ClusterLoad;
import io.uniserve.api.policy.Placement;
import io.uniserve.api.policy.PlacementPolicy;
import io.uniserve.kernel.Invariant;
import io.uniserve.runtime.control.load.LoadView;
import io.uniserve.runtime.control.log.Decisions;
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
import java.util.stream.Stream;

/**
 * The repair of actors with a wrong number of copies. It adds copies where servers were lost. It
 * removes lost and surplus copies once enough are readable again, never before.
 */
public final class Repairs {
  private static final String TOO_MANY = "one copy too many";

  private final Decisions decisions;
  private final PlacementPolicy placement;
  private final Predicate<String> awaited;
  private final Separations separations;
  private final HandOvers handOvers;

  /**
   * @param awaited tells whether a server that is away is about to come back
   * @param separations the copies that their primaries do not reach
   */
  public Repairs(
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

  /**
   * Returns the servers of a new table's actors; none for numbers of actors that were merged with
   * others.
   */
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
  public void addMissing() {
    ClusterState state = decisions.state();
    int servers =
        (int)
            state.servers().keySet().stream()
                .filter(server -> state.alive(server) || awaited.test(server))
                .count();
    List<ActorId> lacking = new ArrayList<>();
    for (TableState table : state.tables().values()) {
      table.forEachActor(
          (id, actor) -> {
            if (lacks(table, id, actor, servers)) {
              lacking.add(id);
            }
          });
    }
    if (!lacking.isEmpty()) {
      addCopies(lacking);
    }
  }

  private boolean lacks(TableState table, ActorId id, ActorState actor, int servers) {
    if (actor.ended()) {
      return false;
    }
    int going = separate(id, actor) + moving(actor, decisions.state()::alive);
    int enough = Math.min(table.definition().replicas(), servers - going);
    int living = 0;
    for (CopyState copy : actor.copies()) {
      living += decisions.state().alive(copy.server()) || awaited.test(copy.server()) ? 1 : 0;
    }
    return living - going < enough && hasSource(table, actor);
  }

  /**
   * Returns the number of copies that are to go by a move which has begun: one, or none. Such a
   * copy goes only once the others suffice. If the move began while a copy was lacking, or one was
   * lost since, they never would, if it counted as one that stays.
   *
   * @param counted tells whether a copy on a server would count as one that stays
   */
  private static int moving(ActorState actor, Predicate<String> counted) {
    return (int)
        actor.move().stream()
            .filter(move -> actor.copyOn(move.to()).isPresent())
            .filter(move -> actor.copyOn(move.from()).isPresent())
            .filter(move -> counted.test(move.from()))
            .count();
  }

  /**
   * Returns the number of copies on living servers that are to be replaced since their primaries do
   * not reach them.
   */
  private int separate(ActorId id, ActorState actor) {
    int separate = 0;
    for (CopyState copy : actor.copies()) {
      boolean lives = decisions.state().alive(copy.server());
      separate += lives && separations.isToBeReplaced(id, copy) ? 1 : 0;
    }
    return separate;
  }

  /** Returns whether there is, or will be, a primary that a new copy can follow. */
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
      List<String> servers = placed.of(id).stream().map(Placement.Copy::server).toList();
      for (String server : onRing(id, actor, servers)) {
        if (actor.copyOn(server).isEmpty()) {
          records.add(new CopyAdded(id, server, "too few copies on living servers"));
        }
      }
    }
    if (!records.isEmpty()) {
      decisions.record(CopySources.chosen(decisions.state(), records));
    }
  }

  /**
   * Returns the servers of an actor's copies with those that a policy chose for new copies replaced
   * by the next ones on the table's ring, if it has one.
   */
  private List<String> onRing(ActorId id, ActorState actor, List<String> chosen) {
    ClusterState state = decisions.state();
    Optional<RingHolders> ring = RingHolders.of(state.tables().get(id.table()));
    if (ring.isEmpty()) {
      return chosen;
    }
    List<String> servers =
        new ArrayList<>(
            chosen.stream().filter(server -> actor.copyOn(server).isPresent()).toList());
    Stream.concat(ring.get().order(id.number()).stream(), chosen.stream())
        .filter(state::takesCopies)
        .filter(server -> actor.copyOn(server).isEmpty())
        .distinct()
        .limit(chosen.size() - servers.size())
        .forEach(servers::add);
    return servers;
  }

  /** Returns servers for the copies of an actor that has none left. */
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
   * Removes unneeded copies; returns true if the actor has all its copies, readable, and no others.
   */
  public boolean ensureWhole(ActorId id) {
    ActorState actor = decisions.state().actor(id).orElseThrow();
    List<CopyState> placed = placed(actor);
    int wanted = Math.max(replicas(id), placed.size());
    boolean level = placed.stream().allMatch(copy -> isReadable(actor, copy.server()));
    if (readable(actor) < wanted || !level || !primaryReadable(actor)) {
      // An unreadable primary is kept in the place of a readable copy.
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
   * Returns the copies that are where a policy wants them, or where the actor is pinned even if no
   * policy has decided since. Copies on servers about to go do not count.
   */
  private List<CopyState> placed(ActorState actor) {
    return actor.copies().stream()
        .filter(
            copy -> actor.wanted().contains(copy.server()) || actor.pins().contains(copy.server()))
        .filter(copy -> decisions.state().takesCopies(copy.server()) || awaited.test(copy.server()))
        .toList();
  }

  /** Makes a surplus primary hand over before it is removed; returns whether it is surplus. */
  private boolean primaryGoes(ActorId id, ActorState actor, List<CopyState> placed) {
    boolean stays =
        placed.isEmpty() || placed.stream().anyMatch(copy -> copy.server().equals(actor.primary()));
    if (!stays) {
      String why = actor.placed().map(Placed::why).orElse("a copy that is pinned stays");
      handOvers.begin(id, actor, placed.getFirst().server(), why);
    }
    return !stays;
  }

  /**
   * Returns the records that remove a surplus copy. A living copy that is read is told first, and
   * is removed once it no longer answers reads.
   */
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
   * Handles a retiring copy that answers no reads any more. If the others suffice, it is removed;
   * otherwise it is needed after all, and loaded again. So it is if another copy is to go by a
   * move: that would not end, with no copy to spare and none lacking. It is not removed earlier:
   * updates wait for it as long as it may answer.
   */
  void retired(ActorId id, String server) {
    ActorState actor = decisions.state().actor(id).orElseThrow();
    if (readable(actor) < enough(id) || staying(actor, server) < enough(id)) {
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

  /** Returns how many living copies are left once one is gone, and one that is to go by a move. */
  private long staying(ActorState actor, String gone) {
    Optional<String> moved = actor.move().map(MoveState::from);
    return actor.copies().stream()
        .map(CopyState::server)
        .filter(decisions.state()::alive)
        .filter(server -> !server.equals(gone) && !moved.equals(Optional.of(server)))
        .count();
  }

  /** Returns whether one readable copy can be spared, with as many left as possible. */
  boolean canSpare(ActorId id, String server) {
    ActorState actor = decisions.state().actor(id).orElseThrow();
    long left = readable(actor) - (isReadable(actor, server) ? 1 : 0);
    return left >= enough(id) && primaryReadable(actor) && !actor.primary().equals(server);
  }

  /**
   * Returns whether an actor needs a copy that is to go by a move, since it would have too few
   * without it and no server is left that could take another.
   */
  boolean isNeeded(ActorId id, String server) {
    ClusterState state = decisions.state();
    ActorState actor = state.actor(id).orElseThrow();
    long others =
        actor.copies().stream()
            .map(CopyState::server)
            .filter(other -> !other.equals(server))
            .filter(other -> state.alive(other) || awaited.test(other))
            .count();
    return others < enough(id)
        && state.servers().keySet().stream()
            .filter(state::takesCopies)
            .allMatch(other -> actor.copyOn(other).isPresent());
  }

  /**
   * Returns the number of readable copies that an actor needs, as far as there are servers for
   * them.
   */
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

  /**
   * Ranks copies for removal: the primary is kept first, then wanted copies, then readable ones
   * that stay, then those on living servers.
   */
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
      table.forEachActor(
          (id, actor) -> {
            if (!actor.ended()) {
              int wanted =
                  table.definition().replicas()
                      + separate(id, actor)
                      + moving(actor, state::takesCopies);
              List<String> staying = LoadView.staying(state, actor);
              actors.put(id, new ClusterLoad.ActorLoad(wanted, 0, Usage.NONE, staying));
            }
          });
    }
    return new ClusterLoad(servers, actors);
  }
}
