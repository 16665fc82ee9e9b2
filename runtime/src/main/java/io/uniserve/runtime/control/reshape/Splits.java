package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.Engine;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.control.copies.Elections;
import io.uniserve.runtime.control.copies.MoveRequests;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.wire.ControlMessage.SplitActor;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorSplit;
import io.uniserve.runtime.wire.cluster.ControlRecord.SplitGivenUp;
import io.uniserve.runtime.wire.cluster.ControlRecord.SplitRequested;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.Reshaping;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The splits of actors, one at a time (DPA §4.4 moves hot actors; an actor that is hot by itself
 * must be split). Requests are in the control log. An attempt is a {@link SplitAttempt}, which has
 * no effect before its record. After a failed attempt the actor begins a new epoch, which voids
 * everything that its copies were told.
 */
public final class Splits {
  private static final Logger LOG = LoggerFactory.getLogger(Splits.class);

  /**
   * The time for which an actor may be in no state to be split. Meanwhile it cannot be moved
   * either.
   */
  private static final Duration UNREST_MAX = Duration.ofSeconds(30);

  private static final String UNDER_WAY =
      "an ordered update of it has not reached all of its actors yet";

  private final Environment environment;
  private final Decisions decisions;
  private final ControllerSettings settings;
  private final Engines engines;
  private final Elections elections;
  private final Consumer<ActorId> reconcile;
  private final ReshapeTurns turns;
  private final WriteQuiescence quiets;

  /**
   * @param turns of all splits and merges
   * @param quiets lets attempts wait for the end of updates
   * @param reconcile looks at an actor again
   */
  public Splits(
      Environment environment,
      Decisions decisions,
      ControllerSettings settings,
      Engines engines,
      Elections elections,
      ReshapeTurns turns,
      WriteQuiescence quiets,
      Consumer<ActorId> reconcile) {
    this.environment = environment;
    this.decisions = decisions;
    this.settings = settings;
    this.engines = engines;
    this.elections = elections;
    this.reconcile = reconcile;
    this.turns = turns;
    this.quiets = quiets;
  }

  /**
   * Records that an actor is to be split, and returns it.
   *
   * @throws UniserveException that says why it cannot be
   */
  public ActorId request(SplitActor request) {
    ActorId id = MoveRequests.actor(decisions.state(), request.table(), request.actor());
    TableState table = decisions.state().tables().get(id.table());
    requireSplittable(table, engines.engine(table.definition().engine()));
    ActorState actor = table.actors().get(id.number());
    if (actor.reshaping().isPresent()) {
      throw new UniserveException(
          ErrorCode.ALREADY_EXISTS,
          named(table, id) + (actor.splits() ? " is being split already" : " is being merged"));
    }
    requireWhere(table, id, request.at());
    decisions.record(
        List.of(new SplitRequested(id, new Reshaping.Splitting(request.at(), "asked for"))));
    return id;
  }

  /** Records that an actor is to be split, as a policy has chosen. */
  public void choose(SplitChoice.Chosen chosen) {
    LOG.info("actor {} is to be split: {}", chosen.actor(), chosen.why());
    Reshaping.Splitting split = new Reshaping.Splitting(Optional.empty(), chosen.why());
    decisions.record(List.of(new SplitRequested(chosen.actor(), split)));
  }

  /** Returns whether the actors of a table can be split. */
  public boolean splittable(TableState table) {
    try {
      requireSplittable(table, engines.engine(table.definition().engine()));
      return table.definition().partitioner().actors() < Partitioner.ACTORS_MAX;
    } catch (UniserveException e) {
      return false;
    }
  }

  private static void requireSplittable(TableState table, Engine<?> engine) {
    String name = "table '" + table.definition().name() + "': ";
    if (!engine.splits()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED, name + "actors of engine '" + engine.name() + "' cannot be split");
    }
  }

  private static void requireWhere(TableState table, ActorId id, Optional<PartitionKey> at) {
    Partitioner partitioner = table.definition().partitioner();
    boolean ranged = partitioner.base() instanceof Partitioner.Range;
    if (at.isPresent() && !ranged) {
      throw UniserveException.invalid(
          "table '"
              + table.definition().name()
              + "' is not partitioned by range: no key to split at");
    }
    if (at.isPresent() && partitioner.actorOf(at.get()) != id.number()) {
      throw UniserveException.invalid(named(table, id) + " does not hold key " + at.get());
    }
    if (at.isPresent() && !partitioner.canBeCut(id.number(), at.get())) {
      throw UniserveException.invalid(
          named(table, id) + " has no key before " + at.get() + ": nothing would stay");
    }
    if (partitioner.actors() >= Partitioner.ACTORS_MAX) {
      throw UniserveException.invalid(
          "table '" + table.definition().name() + "' has " + partitioner.actors() + " actors");
    }
  }

  private static String named(TableState table, ActorId id) {
    return "actor " + id.number() + " of table '" + table.definition().name() + "'";
  }

  /**
   * Takes an actor that is to be split a step further; returns true if there is nothing to do for
   * it.
   */
  public boolean advance(ActorId id) {
    ActorState actor = decisions.state().actor(id).orElseThrow();
    if (!actor.splits()) {
      quiets.endUnlessReshaping(id);
      return true;
    }
    Optional<String> unrest = unrest(id, actor);
    if (unrest.isPresent()) {
      quiets.end(List.of(id));
      return tooLong(id, unrest.get());
    }
    turns.ready(id);
    if (quiets.mayBegin(List.of(id))) {
      if (elections.begin(id)) {
        begin(id, actor);
      } else {
        quiets.end(List.of(id));
      }
    } else if (quiets.waitsTooLong(List.of(id))) {
      quiets.end(List.of(id));
      turns.end();
      count(id, new UniserveException(ErrorCode.UNAVAILABLE, UNDER_WAY));
    }
    return false;
  }

  private void begin(ActorId id, ActorState actor) {
    turns.begin(id);
    // The request is recorded again, so that each attempt has a version of its own, even after
    // another coordinator's.
    decisions.record(
        List.of(new SplitRequested(id, (Reshaping.Splitting) actor.reshaping().get())));
    SplitAttempt attempt =
        new SplitAttempt(
            environment,
            decisions.state(),
            id,
            readable(actor),
            settings.pingTimeout(),
            () -> decisions.submit(() -> quiets.standsStill(id)));
    decisions.whenCommitted(() -> environment.threads().start("split " + id, () -> run(attempt)));
  }

  /** Returns the reason why an attempt cannot begin; empty if there is none. */
  private Optional<String> unrest(ActorId id, ActorState actor) {
    if (decisions.state().tables().get(id.table()).redefined().next().isPresent()) {
      return Optional.of("the schema of its table is being changed");
    }
    if (readable(actor).stream().noneMatch(copy -> copy.server().equals(actor.primary()))) {
      return Optional.of("it has no primary");
    }
    boolean moves =
        actor.move().isPresent()
            || actor.copies().stream().anyMatch(copy -> copy.status() == Status.RETIRING);
    return moves ? Optional.of("a copy is being moved") : Optional.empty();
  }

  /** Returns whether an obstacle has lasted so long that the split is given up. */
  private boolean tooLong(ActorId id, String unrest) {
    boolean over = turns.waitedFor(id, UNREST_MAX);
    if (over) {
      decisions.record(List.of(new SplitGivenUp(id, unrest)));
      turns.forget(id);
    }
    return over;
  }

  private List<CopyState> readable(ActorState actor) {
    return actor.copies().stream()
        .filter(copy -> copy.status() == Status.READY && decisions.state().alive(copy.server()))
        .toList();
  }

  private void run(SplitAttempt attempt) {
    try {
      PartitionChange.Cut cut = attempt.run();
      decisions.submit(() -> conclude(attempt, cut));
    } catch (RuntimeException e) {
      decisions.submit(() -> failed(attempt, UniserveException.of(e)));
    }
  }

  /**
   * Records the split, unless anything about the actor has changed since the copies were requested.
   */
  private void conclude(SplitAttempt attempt, PartitionChange.Cut cut) {
    ActorId id = attempt.actor();
    Optional<ActorState> now = decisions.state().actor(id);
    TableState table = decisions.state().tables().get(id.table());
    boolean same =
        now.filter(attempt.planned()::equals).isPresent()
            && table.definition().partitioner().equals(attempt.partitioner())
            && table.redefined().next().isEmpty()
            && decisions.state().alive(now.get().primary())
            && quiets.isSettled(List.of(id))
            && attempt.copies().containsAll(readable(now.get()));
    if (!same) {
      failed(attempt, new UniserveException(ErrorCode.UNAVAILABLE, "its copies have changed"));
      return;
    }
    end(id);
    turns.forget(id);
    List<String> servers = new ArrayList<>(List.of(now.get().primary()));
    readable(now.get()).stream()
        .map(CopyState::server)
        .filter(server -> !servers.contains(server))
        .forEach(servers::add);
    decisions.record(
        List.of(new ActorSplit(id, cut, attempt.next(), attempt.firstEpoch(), servers)));
    reconcile.accept(id);
    reconcile.accept(new ActorId(id.table(), cut.into()));
  }

  private void failed(SplitAttempt attempt, UniserveException failure) {
    ActorId id = attempt.actor();
    end(id);
    if (decisions.state().actor(id).isEmpty()) {
      return;
    }
    count(id, failure);
    elections.promised(id, attempt.next());
    reconcile.accept(id);
  }

  private void count(ActorId id, UniserveException failure) {
    int count = turns.failed(id);
    LOG.info(
        "attempt {} to split actor {} failed: {}",
        count,
        id,
        failure.getMessage(),
        failure.getCause());
    if (!failure.retryable() || ReshapeTurns.enough(count)) {
      turns.forget(id);
      decisions.record(List.of(new SplitGivenUp(id, String.valueOf(failure.getMessage()))));
    }
  }

  private void end(ActorId id) {
    quiets.end(List.of(id));
    elections.end(id);
    turns.end();
  }
}
