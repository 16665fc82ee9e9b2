package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.Engine;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.control.copies.Elections;
import io.uniserve.runtime.control.copies.MoveRequests;
import io.uniserve.runtime.wire.ControlMessage.MergeActor;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorPlaced;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorsMerged;
import io.uniserve.runtime.wire.cluster.ControlRecord.MergeGivenUp;
import io.uniserve.runtime.wire.cluster.ControlRecord.MergeRequested;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.Placed;
import io.uniserve.runtime.wire.cluster.Reshaping;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The merges of actors, which work as {@link Splits} does. First the copies of one actor are moved
 * to the servers of the other's, as any copies are; then a {@link MergeAttempt} is made.
 */
public final class Merges extends ReshapeAttempts {
  private static final Logger LOG = LoggerFactory.getLogger(Merges.class);

  /** The time for which copies may move until those of both actors are on the same servers. */
  private static final Duration TOGETHER_MAX = Duration.ofMinutes(30);

  /**
   * @param turns the turns of all splits and merges
   * @param quiescence lets attempts wait for the end of updates
   */
  public Merges(
      ControlContext control, Elections elections, ReshapeTurns turns, WriteQuiescence quiescence) {
    super(control, elections, turns, quiescence);
  }

  /** Two actors of one table, the one with the lower number first. */
  public record Pair(ActorId first, ActorId second) {
    /** Returns the pair of two numbers in any order. */
    public static Pair of(long table, int one, int other) {
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
    MoveRequests.requireNoRing(table);
    requireMergeable(table, control.engines().engine(table.definition().engine()));
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

  /** Returns whether policies may merge two actors of a table. */
  public boolean mergeable(TableState table) {
    return table.ring().isEmpty() && canMerge(table);
  }

  /** Returns whether two actors of a table can be merged. */
  public boolean canMerge(TableState table) {
    try {
      requireMergeable(table, control.engines().engine(table.definition().engine()));
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

  /**
   * Takes an actor that is to be merged a step further; returns true if there is nothing to do for
   * it.
   */
  public boolean advance(ActorId id) {
    Optional<Reshaping.Merging> merge = actor(id).merges();
    if (merge.isEmpty() || merge.get().with() < id.number()) {
      leave(id);
      return true;
    }
    Pair pair = Pair.of(id.table(), id.number(), merge.get().with());
    Optional<String> unrest = unrest(pair);
    if (unrest.isPresent()) {
      release(pair.both());
      return restless(pair.first()) && giveUp(pair, unrest.get());
    }
    turns.ready(pair.first());
    if (!together(pair)) {
      release(pair.both());
      return bringTogether(pair);
    }
    turns.ready(pair.second());
    beginInTurn(pair.both());
    return false;
  }

  @Override
  String task(List<ActorId> actors) {
    return "merge " + actors.getFirst() + " and " + actors.getLast();
  }

  @Override
  ReshapeAttempt begin(List<ActorId> actors) {
    // The request is recorded again, so that each attempt has a version of its own, even after
    // another coordinator's.
    ActorId first = actors.getFirst();
    record(new Pair(first, actors.getLast()), why(first));
    return new MergeAttempt(
        control.environment(),
        decisions.state(),
        actors,
        List.copyOf(servers(first)),
        control.settings().pingTimeout(),
        whenStill(first));
  }

  private String why(ActorId first) {
    return actor(first).merges().map(Reshaping.Merging::why).orElse("");
  }

  @Override
  ControlRecord record(ReshapeAttempt attempt, PartitionChange change, List<String> servers) {
    ActorId first = attempt.actors().getFirst();
    PartitionChange.Merge merge = (PartitionChange.Merge) change;
    return new ActorsMerged(first.table(), merge, attempt.firstEpoch(), servers, why(first));
  }

  @Override
  ControlRecord givenUp(List<ActorId> actors, String why) {
    return new MergeGivenUp(actors.getFirst(), actors.getLast().number(), why);
  }

  /** Returns the servers whose copies may be read, in order. */
  private TreeSet<String> servers(ActorId id) {
    return new TreeSet<>(readable(actor(id)));
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
        .filter(id -> !servers(id).contains(actor(id).primary()))
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
    return still && servers(pair.first()).equals(servers(pair.second()));
  }

  /** Has the copies of one actor moved to those of the other; returns true if that is given up. */
  private boolean bringTogether(Pair pair) {
    if (turns.waitedFor(pair.second(), TOGETHER_MAX)) {
      return giveUp(pair, "their copies could not be brought to the same servers");
    }
    boolean follows = servers(pair.first()).containsAll(actor(pair.second()).pins());
    ActorId stays = follows ? pair.first() : pair.second();
    ActorId moves = follows ? pair.second() : pair.first();
    List<String> there = List.copyOf(servers(stays));
    if (!there.containsAll(actor(moves).pins())) {
      return giveUp(pair, "they are pinned to different servers");
    }
    boolean still = actor(stays).move().isEmpty();
    boolean known = actor(moves).placed().map(Placed::servers).filter(there::equals).isPresent();
    if (still && !known) {
      String why = "to be merged with actor " + stays.number();
      decisions.record(List.of(new ActorPlaced(moves, there, why)));
      control.reconcile().accept(moves);
    }
    return false;
  }

  /** Gives a merge up; returns true. */
  private boolean giveUp(Pair pair, String why) {
    giveUp(pair.both(), why);
    return true;
  }
}
