package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.Engine;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.kernel.Environment;
import io.uniserve.runtime.control.copies.Elections;
import io.uniserve.runtime.control.copies.MoveRequests;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.settings.ControllerSettings;
import io.uniserve.runtime.wire.ControlMessage.MergeActor;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorPlaced;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorsMerged;
import io.uniserve.runtime.wire.cluster.ControlRecord.MergeGivenUp;
import io.uniserve.runtime.wire.cluster.ControlRecord.MergeRequested;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.Placed;
import io.uniserve.runtime.wire.cluster.Reshaping;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Engines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The merges of actors, which work as {@link Splits} does. First the copies of one actor are moved
 * to the servers of the other's, as any copies are; then a {@link MergeAttempt} is made.
 */
public final class Merges {
  private static final Logger LOG = LoggerFactory.getLogger(Merges.class);

  /** The time for which two actors may be in no state to be merged. */
  private static final Duration UNREST_MAX = Duration.ofSeconds(30);

  /** The time for which copies may move until those of both actors are on the same servers. */
  private static final Duration TOGETHER_MAX = Duration.ofMinutes(30);

  private static final String UNDER_WAY =
      "an ordered update of one of them has not reached all of its actors yet";

  private final Environment environment;
  private final Decisions decisions;
  private final ControllerSettings settings;
  private final Engines engines;
  private final Elections elections;
  private final ReshapeTurns turns;
  private final WriteQuiescence quiets;
  private final Consumer<ActorId> reconcile;

  /**
   * @param turns of all splits and merges
   * @param quiets lets attempts wait for the end of updates
   * @param reconcile looks at an actor again
   */
  public Merges(
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
    this.turns = turns;
    this.quiets = quiets;
    this.reconcile = reconcile;
  }

  /** Two actors of one table, the one with the lower number first. */
  public record Pair(ActorId first, ActorId second) {
    static Pair of(long table, int one, int other) {
      return new Pair(
          new ActorId(table, Math.min(one, other)), new ActorId(table, Math.max(one, other)));
    }

    public List<ActorId> both() {
      return List.of(first, second);
    }
  }

  /**
   * Records that two actors are to be merged, and returns them.
   *
   * @throws UniserveException that says why they cannot be
   */
  public Pair request(MergeActor request) {
    ActorId id = MoveRequests.actor(decisions.state(), request.table(), request.actor());
    request.with().ifPresent(it -> MoveRequests.actor(decisions.state(), request.table(), it));
    TableState table = decisions.state().tables().get(id.table());
    requireMergeable(table, engines.engine(table.definition().engine()));
    List<Integer> others = table.definition().partitioner().neighbours(id.number());
    int other =
        request
            .with()
            .or(() -> others.stream().findFirst())
            .filter(others::contains)
            .orElseThrow(
                () ->
                    UniserveException.invalid(
                        named(table, id)
                            + (others.isEmpty()
                                ? " has keys next to those of no other"
                                : " has keys next to those of actors " + others + " alone")));
    Pair pair = Pair.of(id.table(), id.number(), other);
    for (ActorId one : pair.both()) {
      if (table.actors().get(one.number()).reshaping().isPresent()) {
        throw new UniserveException(
            ErrorCode.ALREADY_EXISTS, named(table, one) + " is being split or merged already");
      }
    }
    record(pair, "asked for");
    return pair;
  }

  /** Records that two actors are to be merged, as a policy has chosen. */
  public void choose(Pair pair, String why) {
    LOG.info("actors {} and {} are to be merged: {}", pair.first(), pair.second(), why);
    record(pair, why);
  }

  private void record(Pair pair, String why) {
    decisions.record(List.of(new MergeRequested(pair.first(), pair.second().number(), why)));
  }

  /** Returns whether two actors of a table can be merged. */
  public boolean mergeable(TableState table) {
    try {
      requireMergeable(table, engines.engine(table.definition().engine()));
      return true;
    } catch (UniserveException e) {
      return false;
    }
  }

  private static void requireMergeable(TableState table, Engine<?> engine) {
    String name = "table '" + table.definition().name() + "'";
    if (!engine.merges()) {
      throw new UniserveException(
          ErrorCode.UNSUPPORTED,
          name + ": actors of engine '" + engine.name() + "' cannot be merged");
    }
    if (table.definition().partitioner().actors() >= Partitioner.ACTORS_MAX) {
      throw UniserveException.invalid(
          name + " has had " + table.definition().partitioner().actors() + " actors");
    }
  }

  private static String named(TableState table, ActorId id) {
    return "actor " + id.number() + " of table '" + table.definition().name() + "'";
  }

  /**
   * Takes an actor that is to be merged a step further; returns true if there is nothing to do for
   * it.
   */
  public boolean advance(ActorId id) {
    Optional<Reshaping.Merging> merge = actor(id).merges();
    if (merge.isEmpty() || merge.get().with() < id.number()) {
      quiets.endUnlessReshaping(id);
      return true;
    }
    Pair pair = Pair.of(id.table(), id.number(), merge.get().with());
    Optional<String> unrest = unrest(pair);
    if (unrest.isPresent()) {
      quiets.end(pair.both());
      return turns.waitedFor(pair.first(), UNREST_MAX) && giveUp(pair, unrest.get());
    }
    turns.ready(pair.first());
    if (!together(pair)) {
      quiets.end(pair.both());
      return bringTogether(pair);
    }
    turns.ready(pair.second());
    if (quiets.mayBegin(pair.both())) {
      if (beginElections(pair)) {
        begin(pair, merge.get().why());
      } else {
        quiets.end(pair.both());
      }
    } else if (quiets.waitsTooLong(pair.both())) {
      quiets.end(pair.both());
      turns.end();
      count(pair, new UniserveException(ErrorCode.UNAVAILABLE, UNDER_WAY));
    }
    return false;
  }

  private void begin(Pair pair, String why) {
    turns.begin(pair.first());
    // The request is recorded again, so that each attempt has a version of its own, even after
    // another coordinator's.
    record(pair, why);
    MergeAttempt attempt =
        new MergeAttempt(
            environment,
            decisions.state(),
            pair.both(),
            List.copyOf(readable(pair.first())),
            settings.pingTimeout(),
            () -> decisions.submit(() -> quiets.standsStill(pair.first())));
    decisions.whenCommitted(
        () -> environment.threads().start("merge " + pair.first(), () -> run(attempt)));
  }

  private boolean beginElections(Pair pair) {
    boolean begun = elections.begin(pair.first());
    if (begun && !elections.begin(pair.second())) {
      elections.end(pair.first());
      return false;
    }
    return begun;
  }

  private ActorState actor(ActorId id) {
    return decisions.state().actor(id).orElseThrow();
  }

  /** Returns the servers whose copies may be read. */
  private TreeSet<String> readable(ActorId id) {
    TreeSet<String> servers = new TreeSet<>();
    for (CopyState copy : actor(id).copies()) {
      if (copy.status() == Status.READY && decisions.state().alive(copy.server())) {
        servers.add(copy.server());
      }
    }
    return servers;
  }

  /**
   * Returns the reason why neither an attempt nor a move of the copies can begin; empty if there is
   * none.
   */
  private Optional<String> unrest(Pair pair) {
    TableState table = decisions.state().tables().get(pair.first().table());
    if (table.redefined().next().isPresent()) {
      return Optional.of("the schema of their table is being changed");
    }
    return pair.both().stream()
        .filter(id -> !readable(id).contains(actor(id).primary()))
        .findFirst()
        .map(id -> "actor " + id.number() + " has no primary");
  }

  /** Returns whether the copies of both are on the same servers, and stay there. */
  private boolean together(Pair pair) {
    boolean still =
        pair.both().stream()
            .map(this::actor)
            .allMatch(
                actor ->
                    actor.move().isEmpty()
                        && actor.copies().stream()
                            .noneMatch(copy -> copy.status() == Status.RETIRING));
    return still && readable(pair.first()).equals(readable(pair.second()));
  }

  /** Has the copies of one actor moved to those of the other; returns true if that is given up. */
  private boolean bringTogether(Pair pair) {
    if (turns.waitedFor(pair.second(), TOGETHER_MAX)) {
      return giveUp(pair, "their copies could not be brought to the same servers");
    }
    boolean follows = readable(pair.first()).containsAll(actor(pair.second()).pins());
    ActorId stays = follows ? pair.first() : pair.second();
    ActorId moves = follows ? pair.second() : pair.first();
    List<String> there = List.copyOf(readable(stays));
    if (!there.containsAll(actor(moves).pins())) {
      return giveUp(pair, "they are pinned to different servers");
    }
    boolean still = actor(stays).move().isEmpty();
    boolean known = actor(moves).placed().map(Placed::servers).filter(there::equals).isPresent();
    if (still && !known) {
      String why = "to be merged with actor " + stays.number();
      decisions.record(List.of(new ActorPlaced(moves, there, why)));
      reconcile.accept(moves);
    }
    return false;
  }

  private boolean giveUp(Pair pair, String why) {
    LOG.info("actors {} and {} stay two: {}", pair.first(), pair.second(), why);
    pair.both().forEach(turns::forget);
    decisions.record(List.of(new MergeGivenUp(pair.first(), pair.second().number(), why)));
    return true;
  }

  private void run(MergeAttempt attempt) {
    try {
      PartitionChange.Merge merge = attempt.run();
      decisions.submit(() -> conclude(attempt, merge));
    } catch (RuntimeException e) {
      decisions.submit(() -> failed(attempt, UniserveException.of(e)));
    }
  }

  /**
   * Records the merge, unless anything about the actors has changed since the copies were
   * requested.
   */
  private void conclude(MergeAttempt attempt, PartitionChange.Merge merge) {
    ClusterState state = decisions.state();
    ActorId first = attempt.actors().getFirst();
    TableState table = state.tables().get(first.table());
    boolean same =
        attempt.actors().stream().allMatch(id -> isAsPlanned(attempt, id))
            && table.definition().partitioner().equals(attempt.partitioner())
            && table.redefined().next().isEmpty()
            && quiets.isSettled(attempt.actors());
    if (!same) {
      failed(attempt, new UniserveException(ErrorCode.UNAVAILABLE, "their copies have changed"));
      return;
    }
    end(attempt);
    attempt.actors().forEach(turns::forget);
    List<String> servers = new ArrayList<>(List.of(actor(first).primary()));
    readable(first).stream().filter(server -> !servers.contains(server)).forEach(servers::add);
    String why = actor(first).merges().map(Reshaping.Merging::why).orElse("");
    decisions.record(
        List.of(new ActorsMerged(first.table(), merge, attempt.firstEpoch(), servers, why)));
    attempt.actors().forEach(reconcile);
    reconcile.accept(new ActorId(first.table(), merge.into()));
  }

  /**
   * Returns whether an actor is as it was planned. Copies on servers that have failed meanwhile may
   * be missing.
   */
  private boolean isAsPlanned(MergeAttempt attempt, ActorId id) {
    return decisions.state().actor(id).filter(attempt.planned(id)::equals).isPresent()
        && decisions.state().alive(actor(id).primary())
        && attempt.servers().containsAll(readable(id));
  }

  private void failed(MergeAttempt attempt, UniserveException failure) {
    end(attempt);
    Pair pair = new Pair(attempt.actors().getFirst(), attempt.actors().getLast());
    if (decisions.state().actor(pair.first()).isEmpty()) {
      attempt.actors().forEach(turns::forget);
      return;
    }
    count(pair, failure);
    for (ActorId id : attempt.actors()) {
      elections.promised(id, attempt.next(id));
      reconcile.accept(id);
    }
  }

  private void count(Pair pair, UniserveException failure) {
    int count = turns.failed(pair.first());
    LOG.info(
        "attempt {} to merge actors {} and {} failed: {}",
        count,
        pair.first(),
        pair.second(),
        failure.getMessage(),
        failure.getCause());
    if (!failure.retryable() || ReshapeTurns.enough(count)) {
      giveUp(pair, String.valueOf(failure.getMessage()));
    }
  }

  private void end(MergeAttempt attempt) {
    quiets.end(attempt.actors());
    attempt.actors().forEach(elections::end);
    turns.end();
  }
}
