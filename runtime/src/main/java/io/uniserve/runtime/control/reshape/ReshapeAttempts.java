package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.runtime.control.copies.Elections;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ControlRecord;
import io.uniserve.runtime.wire.cluster.CopyState;
import io.uniserve.runtime.wire.cluster.CopyState.Status;
import io.uniserve.runtime.wire.cluster.TableState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The attempts to split or merge actors, from their turn to their record (DPA §4.4 moves hot
 * actors; an actor that is hot by itself must be split). After a failed attempt its actors begin a
 * new epoch, which voids everything that their copies were told. Only for the deciding thread.
 */
abstract class ReshapeAttempts {
  private static final Logger LOG = LoggerFactory.getLogger(ReshapeAttempts.class);

  /**
   * The time for which actors may be in no state to be split or merged. Meanwhile they cannot be
   * moved either.
   */
  private static final Duration UNREST_MAX = Duration.ofSeconds(30);

  final ControlContext control;
  final Decisions decisions;
  final ReshapeTurns turns;
  private final Elections elections;
  private final WriteQuiescence quiescence;

  /**
   * @param turns the turns of all splits and merges
   * @param quiescence lets attempts wait for the end of updates
   */
  ReshapeAttempts(
      ControlContext control, Elections elections, ReshapeTurns turns, WriteQuiescence quiescence) {
    this.control = control;
    this.decisions = control.decisions();
    this.elections = elections;
    this.turns = turns;
    this.quiescence = quiescence;
  }

  /** Returns what is attempted, such as "split actor 3". */
  abstract String task(List<ActorId> actors);

  /** Begins an attempt with actors that are in a state for it. */
  abstract ReshapeAttempt begin(List<ActorId> actors);

  /** Returns the record of an attempt that has succeeded. */
  abstract ControlRecord record(
      ReshapeAttempt attempt, PartitionChange change, List<String> servers);

  /** Returns the record that nothing more is attempted with actors. */
  abstract ControlRecord givenUp(List<ActorId> actors, String why);

  /** Returns an actor for people. */
  static String named(TableState table, ActorId id) {
    return "actor " + id.number() + " of table '" + table.definition().name() + "'";
  }

  ActorState actor(ActorId id) {
    return decisions.state().actor(id).orElseThrow();
  }

  /** Returns the servers whose copies may be read. */
  List<String> readable(ActorState actor) {
    return actor.copies().stream()
        .filter(copy -> copy.status() == Status.READY && decisions.state().alive(copy.server()))
        .map(CopyState::server)
        .toList();
  }

  /** Lets updates of an actor go on if it is not to be split or merged any more. */
  void leave(ActorId id) {
    quiescence.endUnlessReshaping(id);
  }

  /** Lets updates of actors go on, since no attempt with them can begin yet. */
  void release(List<ActorId> actors) {
    quiescence.end(actors);
  }

  /** Returns whether actors have been in no state for an attempt for too long. */
  boolean restless(ActorId first) {
    return turns.waitedFor(first, UNREST_MAX);
  }

  /** Begins an attempt with actors that are in a state for it, once it is their turn. */
  void beginInTurn(List<ActorId> actors) {
    if (quiescence.mayBegin(actors)) {
      if (beginElections(actors)) {
        turns.begin(actors.getFirst());
        ReshapeAttempt attempt = begin(actors);
        String name = task(actors);
        decisions.whenCommitted(
            () -> control.environment().threads().start(name, () -> run(attempt)));
      } else {
        quiescence.end(actors);
      }
    } else if (quiescence.waitsTooLong(actors)) {
      quiescence.end(actors);
      turns.end();
      String one = actors.size() == 1 ? "it" : "one of them";
      String why = "an ordered update of " + one + " has not reached all of its actors yet";
      count(actors, new UniserveException(ErrorCode.UNAVAILABLE, why));
    }
  }

  /** Returns a task for an attempt to run once its primaries take no more updates. */
  Runnable whenStill(ActorId first) {
    return () -> decisions.submit(() -> quiescence.standsStill(first));
  }

  private boolean beginElections(List<ActorId> actors) {
    for (int i = 0; i < actors.size(); i++) {
      if (!elections.begin(actors.get(i))) {
        actors.subList(0, i).forEach(elections::end);
        return false;
      }
    }
    return true;
  }

  private void run(ReshapeAttempt attempt) {
    try {
      PartitionChange change = attempt.run();
      decisions.submit(() -> conclude(attempt, change));
    } catch (RuntimeException e) {
      decisions.submit(() -> failed(attempt, UniserveException.of(e)));
    }
  }

  /**
   * Records the change, unless anything about the actors has changed since the copies were
   * requested.
   */
  private void conclude(ReshapeAttempt attempt, PartitionChange change) {
    if (!isAsPlanned(attempt)) {
      String whose = attempt.actors().size() == 1 ? "its" : "their";
      failed(attempt, new UniserveException(ErrorCode.UNAVAILABLE, whose + " copies have changed"));
      return;
    }
    List<ActorId> actors = attempt.actors();
    end(actors);
    actors.forEach(turns::forget);
    ActorState first = actor(actors.getFirst());
    List<String> readable = readable(first);
    List<String> servers = new ArrayList<>(List.of(first.primary()));
    attempt.servers().stream()
        .filter(server -> readable.contains(server) && !servers.contains(server))
        .forEach(servers::add);
    decisions.record(List.of(record(attempt, change, servers)));
    actors.forEach(control.reconcile());
    control.reconcile().accept(new ActorId(actors.getFirst().table(), change.into()));
  }

  private boolean isAsPlanned(ReshapeAttempt attempt) {
    if (!attempt.actors().stream().allMatch(id -> isAsPlanned(attempt, id))) {
      return false;
    }
    TableState table = decisions.state().tables().get(attempt.actors().getFirst().table());
    return table.definition().partitioner().equals(attempt.partitioner())
        && table.redefined().next().isEmpty()
        && quiescence.isSettled(attempt.actors());
  }

  /**
   * Returns whether an actor is as it was planned. Copies on servers that have failed meanwhile may
   * be missing.
   */
  private boolean isAsPlanned(ReshapeAttempt attempt, ActorId id) {
    Optional<ActorState> now = decisions.state().actor(id);
    return now.filter(attempt.planned(id)::equals).isPresent()
        && decisions.state().alive(now.get().primary())
        && attempt.servers().containsAll(readable(now.get()));
  }

  private void failed(ReshapeAttempt attempt, UniserveException failure) {
    List<ActorId> actors = attempt.actors();
    end(actors);
    if (decisions.state().actor(actors.getFirst()).isEmpty()) {
      actors.forEach(turns::forget);
      return;
    }
    count(actors, failure);
    for (ActorId id : actors) {
      elections.promised(id, attempt.next(id));
      control.reconcile().accept(id);
    }
  }

  private void count(List<ActorId> actors, UniserveException failure) {
    int count = turns.failed(actors.getFirst());
    LOG.info(
        "attempt {} to {} failed: {}",
        count,
        task(actors),
        failure.getMessage(),
        failure.getCause());
    if (!failure.retryable() || ReshapeTurns.enough(count)) {
      giveUp(actors, String.valueOf(failure.getMessage()));
    }
  }

  /** Records that nothing more is attempted with actors. */
  void giveUp(List<ActorId> actors, String why) {
    LOG.info("no more attempts to {}: {}", task(actors), why);
    actors.forEach(turns::forget);
    decisions.record(List.of(givenUp(actors, why)));
  }

  private void end(List<ActorId> actors) {
    quiescence.end(actors);
    actors.forEach(elections::end);
    turns.end();
  }
}
