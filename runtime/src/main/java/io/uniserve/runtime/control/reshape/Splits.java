package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.Engine;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.api.partition.PartitionKey;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.control.copies.Elections;
import io.uniserve.runtime.control.copies.MoveRequests;
import io.uniserve.runtime.wire.ControlMessage.SplitActor;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.ControlRecord.ActorSplit;
import io.uniserve.runtime.wire.cluster.ControlRecord.SplitGivenUp;
import io.uniserve.runtime.wire.cluster.ControlRecord.SplitRequested;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.Reshaping;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The splits of actors, one at a time. Requests are in the control log. An attempt is a {@link
 * SplitAttempt}.
 */
public final class Splits extends ReshapeAttempts {
  private static final Logger LOG = LoggerFactory.getLogger(Splits.class);

  /**
   * @param turns the turns of all splits and merges
   * @param quiescence lets attempts wait for the end of updates
   */
  public Splits(
      ControlContext control, Elections elections, ReshapeTurns turns, WriteQuiescence quiescence) {
    super(control, elections, turns, quiescence);
  }

  /**
   * Records that an actor is to be split, and returns it.
   *
   * @throws UniserveException that says why it cannot be
   */
  public ActorId request(SplitActor request) {
    ActorId id = MoveRequests.actor(decisions.state(), request.table(), request.actor());
    TableState table = decisions.state().tables().get(id.table());
    MoveRequests.requireNoRing(table);
    requireSplittable(table, control.engines().engine(table.definition().engine()));
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

  /**
   * Records that an actor is to be split for the sake of a ring.
   *
   * @param at the first key that goes; empty in a table that is partitioned by hash
   * @throws UniserveException that says why it cannot be
   */
  public void split(ActorId id, Optional<PartitionKey> at, String why) {
    TableState table = decisions.state().tables().get(id.table());
    requireSplittable(table, control.engines().engine(table.definition().engine()));
    requireWhere(table, id, at);
    decisions.record(List.of(new SplitRequested(id, new Reshaping.Splitting(at, why))));
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
      requireSplittable(table, control.engines().engine(table.definition().engine()));
      return table.ring().isEmpty()
          && table.definition().partitioner().actors() < Partitioner.ACTORS_MAX;
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

  /**
   * Takes an actor that is to be split a step further; returns true if there is nothing to do for
   * it.
   */
  public boolean advance(ActorId id) {
    ActorState actor = actor(id);
    if (!actor.splits()) {
      leave(id);
      return true;
    }
    Optional<String> unrest = unrest(id, actor);
    if (unrest.isPresent()) {
      release(List.of(id));
      boolean over = restless(id);
      if (over) {
        giveUp(List.of(id), unrest.get());
      }
      return over;
    }
    turns.ready(id);
    beginInTurn(List.of(id));
    return false;
  }

  @Override
  String task(List<ActorId> actors) {
    return "split " + actors.getFirst();
  }

  @Override
  ReshapeAttempt begin(List<ActorId> actors) {
    ActorId id = actors.getFirst();
    ActorState actor = actor(id);
    // The request is recorded again, so that each attempt has a version of its own, even after
    // another coordinator's.
    decisions.record(
        List.of(new SplitRequested(id, (Reshaping.Splitting) actor.reshaping().orElseThrow())));
    return new SplitAttempt(
        control.environment(),
        decisions.state(),
        id,
        readable(actor),
        control.settings().pingTimeout(),
        whenStill(id));
  }

  @Override
  ControlRecord record(ReshapeAttempt attempt, PartitionChange change, List<String> servers) {
    ActorId id = attempt.actors().getFirst();
    return new ActorSplit(
        id, (PartitionChange.Cut) change, attempt.next(id), attempt.firstEpoch(), servers);
  }

  @Override
  ControlRecord givenUp(List<ActorId> actors, String why) {
    return new SplitGivenUp(actors.getFirst(), why);
  }

  /** Returns the reason why an attempt cannot begin; empty if there is none. */
  private Optional<String> unrest(ActorId id, ActorState actor) {
    if (decisions.state().tables().get(id.table()).redefined().next().isPresent()) {
      return Optional.of("the schema of its table is being changed");
    }
    if (!readable(actor).contains(actor.primary())) {
      return Optional.of("it has no primary");
    }
    boolean moves =
        actor.move().isPresent()
            || actor.copies().stream().anyMatch(copy -> copy.status() == Status.RETIRING);
    return moves ? Optional.of("a copy is being moved") : Optional.empty();
  }
}
