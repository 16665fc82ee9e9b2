package io.uniserve.runtime.control.copies;

import io.uniserve.api.ActorId;
import io.uniserve.api.Consistency;
import io.uniserve.api.Durability;
import io.uniserve.api.TableDefinition;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Keys;
import io.uniserve.kernel.Calls;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.TableOrder;
import io.uniserve.runtime.wire.BackupMessage.PlanRecovery;
import io.uniserve.runtime.wire.BackupMessage.RecoveryPlan;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorEmptied;
import io.uniserve.runtime.wire.cluster.ControlRecord.LossAccepted;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableCreated;
import io.uniserve.runtime.wire.cluster.ControlRecord.TableRecovered;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.cluster.TableOrigin;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Position;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The recovery of actors without complete copies, where an operator or the table's {@link
 * io.uniserve.api.OnLoss} decides so. Lost actors of an eventual table are loaded from the durable
 * store one by one (DPA §4.3). In a table of any other level, updates concern several actors. Such
 * a table is replaced by another that is loaded as of one state of all actors. An actor of which
 * nothing is left begins again, empty. All methods run on the deciding thread.
 */
public final class Recoveries {
  private static final Logger LOG = LoggerFactory.getLogger(Recoveries.class);
  private static final String OPERATOR = "an operator accepted the loss";
  private static final Duration PLAN_TIMEOUT = Duration.ofMinutes(1);

  /** The time for which an accepted loss is recovered again if that fails. */
  private static final Duration ACCEPTED_FOR = Duration.ofMinutes(1);

  /** The time for which a copy counts as damaged after a report of it. */
  private static final Duration DAMAGED_FOR = Duration.ofSeconds(10);

  private final Environment environment;
  private final Duration noticedWithin;
  private final Decisions decisions;
  private final Elections elections;
  private final Repairs repairs;
  private final LongConsumer dropped;
  private final Consumer<ActorId> reconcile;

  /** The times since which this coordinator has known lost actors to be lost. */
  private final Map<ActorId, Long> lostSinceNanos = new TreeMap<>();

  private final Map<ActorId, Long> damagedNanos = new TreeMap<>();

  /** The losses that an operator has accepted, by table. */
  private final Map<Long, Accepted> accepted = new TreeMap<>();

  /**
   * A loss that an operator has accepted. What is lost later is another loss: its servers may well
   * come back.
   *
   * @param actors the lost actors that have not been recovered
   * @param noticedUntilNanos the time until which servers are found to have failed that had failed
   *     when the loss was accepted
   * @param untilNanos the time until which the recovery is tried
   */
  private record Accepted(TreeSet<ActorId> actors, long noticedUntilNanos, long untilNanos) {
    /** Notes which actors are lost at present. */
    void lost(List<ActorId> lost, long nowNanos) {
      actors.retainAll(lost);
      if (nowNanos - noticedUntilNanos <= 0) {
        actors.addAll(lost);
      }
    }
  }

  /**
   * A decision to go on without complete copies.
   *
   * @param actors the actors that it is about
   */
  private record Decided(List<ActorId> actors, String why) {}

  /** The tables whose recovery is being planned. */
  private final TreeSet<Long> planning = new TreeSet<>();

  /**
   * @param noticedWithin the longest time after which the failure of a server is noticed
   * @param dropped called with each table that is replaced
   * @param reconcile looks at an actor again
   */
  public Recoveries(
      Environment environment,
      Duration noticedWithin,
      Decisions decisions,
      Elections elections,
      Repairs repairs,
      LongConsumer dropped,
      Consumer<ActorId> reconcile) {
    this.environment = environment;
    this.noticedWithin = noticedWithin;
    this.decisions = decisions;
    this.elections = elections;
    this.repairs = repairs;
    this.dropped = dropped;
    this.reconcile = reconcile;
  }

  /** Notes that the only complete copy of an actor cannot be opened. */
  void damaged(ActorId id) {
    damagedNanos.put(id, environment.clock().nanos());
  }

  /** Notes that a complete copy of an actor is open. */
  void opened(ActorId id) {
    damagedNanos.remove(id);
  }

  /** Begins to recover the tables that no longer wait for complete copies. */
  public void check() {
    long now = environment.clock().nanos();
    TreeSet<ActorId> lost = new TreeSet<>();
    for (TableState table : List.copyOf(decisions.state().tables().values())) {
      List<ActorId> its = lost(table);
      lost.addAll(its);
      its.forEach(id -> lostSinceNanos.putIfAbsent(id, now));
      Optional.ofNullable(accepted.get(table.id())).ifPresent(loss -> loss.lost(its, now));
      decided(table, its, now).ifPresent(decided -> begin(table));
    }
    accepted
        .entrySet()
        .removeIf(
            loss -> loss.getValue().untilNanos() - now < 0 && !planning.contains(loss.getKey()));
    lostSinceNanos.keySet().retainAll(lost);
    damagedNanos.values().removeIf(at -> now - at > DAMAGED_FOR.toNanos());
  }

  /** Returns the lost actors of a table that are not waited for any longer, and why. */
  private Optional<Decided> decided(TableState table, List<ActorId> lost, long nowNanos) {
    Accepted loss = accepted.get(table.id());
    List<ActorId> byOperator =
        loss == null ? List.of() : lost.stream().filter(loss.actors()::contains).toList();
    if (!byOperator.isEmpty()) {
      return Optional.of(new Decided(byOperator, OPERATOR));
    }
    return table
        .definition()
        .onLoss()
        .restoreAfter()
        .map(
            after ->
                new Decided(
                    lost.stream().filter(id -> lostFor(id, nowNanos) >= after.toNanos()).toList(),
                    "no complete copy came back within " + after.toSeconds() + " s"))
        .filter(decided -> !decided.actors().isEmpty());
  }

  private long lostFor(ActorId id, long nowNanos) {
    return nowNanos - lostSinceNanos.getOrDefault(id, nowNanos);
  }

  private void begin(TableState table) {
    begin(
        table,
        failure ->
            LOG.warn(
                "table {} cannot be recovered yet: {}",
                table.definition().name(),
                failure.getMessage()),
        (id, version) -> {});
  }

  /**
   * Recovers a table because an operator accepts the loss.
   *
   * @param failed receives the reason if it cannot be done
   * @param done receives the identity of the table, and the version of the state with the recovery
   * @throws UniserveException if the table has lost nothing, or there is no such table
   */
  public void recover(
      String name, Consumer<UniserveException> failed, BiConsumer<Long, Long> done) {
    TableState table = decisions.state().requireTable(name);
    List<ActorId> lost = lost(table);
    if (lost.isEmpty()) {
      throw UniserveException.invalid(
          "table '"
              + name
              + "' has lost nothing: each of its actors has a complete copy on a living server"
              + " or in the durable store");
    }
    long now = environment.clock().nanos();
    accepted.put(
        table.id(),
        new Accepted(
            new TreeSet<>(lost), now + noticedWithin.toNanos(), now + ACCEPTED_FOR.toNanos()));
    if (!begin(table, failed, done)) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "table '" + name + "' is being recovered already");
    }
  }

  /** Returns the actors that cannot be led before a decision is made, or a server comes back. */
  private List<ActorId> lost(TableState table) {
    List<ActorId> lost = new ArrayList<>();
    if (table.definition().durability() != Durability.SYNCHRONOUS) {
      table
          .living()
          .forEach(
              (number, actor) -> {
                ActorId id = table.actorId(number);
                boolean damaged = !actor.anyMayLead() && damagedNanos.containsKey(id);
                if (decisions.state().waits(id) || damaged) {
                  lost.add(id);
                }
              });
    }
    return lost;
  }

  /** Begins the recovery of a table; returns false if it has begun already. */
  private boolean begin(
      TableState table, Consumer<UniserveException> failed, BiConsumer<Long, Long> done) {
    if (!planning.add(table.id())) {
      return false;
    }
    if (table.definition().durability() == Durability.NONE) {
      decisions.submit(() -> conclude(table, Optional.empty(), failed, done));
      return true;
    }
    PlanRecovery request =
        new PlanRecovery(
            table.id(),
            table.actors().stream().map(ActorState::committed).toList(),
            placed(table),
            table.origin());
    ClusterState state = decisions.state();
    environment
        .threads()
        .start(
            "plan the recovery of table " + table.id(),
            () -> {
              try {
                Planned plan = plan(state, request);
                decisions.submit(() -> conclude(table, Optional.of(plan), failed, done));
              } catch (UniserveException e) {
                decisions.submit(
                    () -> {
                      planning.remove(table.id());
                      failed.accept(e);
                    });
              }
            });
    return true;
  }

  /** Returns the newest number of the table's order that went to each actor; none without order. */
  private List<Long> placed(TableState table) {
    Optional<TableOrder> order = decisions.orders().table(table.id());
    return IntStream.range(0, order.isPresent() ? table.actors().size() : 0)
        .mapToObj(actor -> order.get().last(actor))
        .toList();
  }

  /**
   * Returns a plan. If the store does not reach back to the place in the order that all actors are
   * known to share, each actor goes on from where the store has it.
   */
  private Planned plan(ClusterState state, PlanRecovery request) {
    try {
      return new Planned(ask(state, request), true);
    } catch (UniserveException e) {
      if (e.code() != ErrorCode.NOT_FOUND || request.placed().isEmpty()) {
        throw e;
      }
      LOG.warn("table {} has no common place in the store: {}", request.table(), e.getMessage());
      PlanRecovery rest =
          new PlanRecovery(request.table(), request.decided(), List.of(), request.origin());
      return new Planned(ask(state, rest), false);
    }
  }

  /**
   * The plan of a recovery.
   *
   * @param known the state of the store that is to be loaded
   * @param atOnePlace true if that is a beginning of the order of all updates
   */
  private record Planned(RecoveryPlan known, boolean atOnePlace) {
    /**
     * Returns the definition of the table that takes the place of another. One that goes on from
     * what the other was made of has the actors that this was made of.
     */
    private TableDefinition definition(TableState former) {
      TableOrigin origin = known.origin();
      TableDefinition last = former.definition();
      return origin.table() == former.id()
          ? known.definition()
          : last.withPartitioner(last.partitioner().ofFirst(origin.cut().size()));
    }

    /**
     * Returns the time since which updates may be lost; 0 if always. The versions of a table are
     * cut at one place, so everything before the newest update that is left is there. What a
     * primary alone decided has no such place: updates of one actor of a serializable table, and
     * those that took the short way in an ordered one. There each actor ends by itself.
     */
    private long lostFromMillis(TableDefinition definition) {
      LongStream until =
          definition.partitioner().actorsOf(Keys.ALL).stream()
              .mapToLong(actor -> known.untilMillis().get(actor));
      return atOnePlace && definition.consistency() == Consistency.SNAPSHOT
          ? until.max().orElse(0)
          : until.min().orElse(0);
    }
  }

  /** Asks any server for a plan, since the store is the same for all. */
  private RecoveryPlan ask(ClusterState state, PlanRecovery request) {
    Deadline deadline = Deadline.after(environment.clock(), PLAN_TIMEOUT);
    UniserveException failure =
        new UniserveException(ErrorCode.UNAVAILABLE, "no server is alive to look into the store");
    for (ServerState server : state.servers().values()) {
      if (server.alive()) {
        try {
          return Calls.ask(environment, server.address(), request, RecoveryPlan.class, deadline);
        } catch (UniserveException e) {
          failure = e;
        }
      }
    }
    throw failure;
  }

  /**
   * Records a recovery, for the actors that are still lost and not waited for. A complete copy may
   * have come back meanwhile.
   */
  private void conclude(
      TableState asked,
      Optional<Planned> plan,
      Consumer<UniserveException> failed,
      BiConsumer<Long, Long> done) {
    planning.remove(asked.id());
    try {
      TableState table = decisions.state().tables().get(asked.id());
      if (table == null) {
        throw new UniserveException(
            ErrorCode.NOT_FOUND, "table '" + asked.definition().name() + "' was dropped");
      }
      if (!table.definition().partitioner().equals(asked.definition().partitioner())) {
        throw new UniserveException(
            ErrorCode.UNAVAILABLE,
            "actors of table '"
                + asked.definition().name()
                + "' were split or merged while its recovery was planned");
      }
      long id = table.id();
      Optional<Decided> decided = decided(table, lost(table), environment.clock().nanos());
      if (decided.isPresent()) {
        if (table.definition().consistency() == Consistency.EVENTUAL) {
          decided.get().actors().forEach(actor -> recoverActor(actor, plan, decided.get().why()));
        } else {
          id = replace(table, plan, decided.get().why());
        }
      }
      done.accept(id, decisions.state().version());
    } catch (UniserveException e) {
      failed.accept(e);
    }
  }

  private void recoverActor(ActorId id, Optional<Planned> plan, String why) {
    ActorState actor = decisions.state().actor(id).orElseThrow();
    Optional<TableOrigin.Cut> stored =
        plan.map(planned -> planned.known().origin().cut())
            .filter(cuts -> id.number() < cuts.size())
            .map(cuts -> cuts.get(id.number()))
            .filter(cut -> !cut.last().equals(Position.START));
    if (stored.isPresent()) {
      long until = plan.orElseThrow().known().untilMillis().get(id.number());
      decisions.record(List.of(new LossAccepted(id, why + "; " + lostFrom(until, Duration.ZERO))));
    } else {
      long epoch = elections.nextEpoch(id, actor);
      elections.promised(id, epoch);
      decisions.record(
          List.of(
              new ActorEmptied(
                  id,
                  epoch,
                  repairs.serversOf(id),
                  why + "; its data is not stored anywhere else")));
    }
    // Whatever happens to it now is another loss.
    damagedNanos.remove(id);
    lostSinceNanos.remove(id);
    Optional.ofNullable(accepted.get(id.table())).ifPresent(loss -> loss.actors().remove(id));
    repairs.addMissing();
    reconcile.accept(id);
  }

  private long replace(TableState table, Optional<Planned> plan, String why) {
    TableDefinition definition =
        plan.map(planned -> planned.definition(table)).orElse(table.definition());
    long id = decisions.state().version() + 1;
    TableCreated made =
        new TableCreated(
            id,
            definition,
            plan.map(planned -> planned.known().origin()),
            repairs.placementOf(id, definition));
    String what =
        plan.map(planned -> lost(definition, planned))
            .orElse("the table is not in the durable store and begins again, empty");
    decisions.record(
        List.of(
            new TableRecovered(
                table.id(), made, environment.clock().now().toEpochMilli(), why + "; " + what)));
    dropped.accept(table.id());
    return id;
  }

  private String lost(TableDefinition definition, Planned planned) {
    return (planned.atOnePlace() ? "" : "each actor goes on from where the store has it; ")
        + lostFrom(planned.lostFromMillis(definition), noticedWithin);
  }

  /**
   * @param more the time for which primaries of a lost table that have not heard of it may still
   *     acknowledge updates
   */
  private String lostFrom(long untilMillis, Duration more) {
    return "updates from "
        + (untilMillis == 0 ? "its beginning" : Instant.ofEpochMilli(untilMillis).toString())
        + " to "
        + environment.clock().now().plus(more).truncatedTo(ChronoUnit.MILLIS)
        + " may be lost";
  }
}
