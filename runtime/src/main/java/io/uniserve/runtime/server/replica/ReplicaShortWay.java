package io.uniserve.runtime.server.replica;

import io.uniserve.api.Consistency;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.server.actor.EngineActors;
import io.uniserve.runtime.server.actor.Ran;
import io.uniserve.runtime.server.actor.Tried;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.keys.AppliedKey;
import io.uniserve.runtime.server.replica.ShortBatch.Taken;
import io.uniserve.runtime.server.replica.UpdateQueue.Waiting;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.OrderedMessage.ShortUpdate;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.LogEntryCodec;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.Refusal;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The updates of one actor that take the short way past the order of their table (RB §6.6): the
 * primary takes them into the actor's log after what is there. Those of several sessions that wait
 * are applied together; those of one session stay in their order. What is refused is logged, too,
 * so that it is not applied at another attempt, after later ones of its session.
 */
final class ReplicaShortWay {
  private final ReplicaState state;
  private final EngineActors actors;
  private final ReplicaUpdates updates;
  private final ReplicaCounters counters;
  private final UpdateQueue<ShortBatch, Taken> queue;

  ReplicaShortWay(
      ReplicaState state, EngineActors actors, ReplicaUpdates updates, ReplicaCounters counters) {
    this.state = state;
    this.actors = actors;
    this.updates = updates;
    this.counters = counters;
    this.queue = new UpdateQueue<>(actors, this::takeAll);
  }

  Taken take(ShortBatch batch) {
    if (state.target().definition().consistency() != Consistency.ORDERED) {
      throw UniserveException.invalid(
          state.target() + " has updates of level " + state.target().definition().consistency());
    }
    return queue.await(batch, sizeBytes(batch));
  }

  /** Returns how many batches wait for their turn. */
  int waiting() {
    return queue.size();
  }

  private long sizeBytes(ShortBatch batch) {
    return batch.updates().stream()
        .mapToLong(update -> actors.sizeBytes(update.function(), update.records()))
        .sum();
  }

  /** A batch that is being taken. */
  private static final class Open {
    private final Waiting<ShortBatch, Taken> waiting;
    private final List<Result> results = new ArrayList<>();
    private Optional<UniserveException> failure = Optional.empty();

    Open(Waiting<ShortBatch, Taken> waiting) {
      this.waiting = waiting;
    }
  }

  /**
   * One update to be taken.
   *
   * @param records the records that the engine is to apply; empty if it is not asked
   * @param refusal the reason why it is not asked, unless the actor has received the update before
   */
  private record Planned(
      Open batch,
      ShortUpdate update,
      long timeMillis,
      Optional<Payload> records,
      Optional<Refusal> refusal) {
    LogEntry.Change change(Position next) {
      return new LogEntry.Update(
          next,
          timeMillis,
          update.key(),
          update.function(),
          records.orElseThrow(),
          Optional.empty());
    }

    LogEntry declined(Position next, Refusal why) {
      return new LogEntry.Declined(next, timeMillis, update.key(), why);
    }
  }

  private void takeAll(List<Waiting<ShortBatch, Taken>> together) {
    state.lock();
    try {
      state.fence().requireLeading();
      ReplicaData data = state.require();
      List<Open> open = new ArrayList<>();
      List<Planned> group = new ArrayList<>();
      Set<Hash> names = new LinkedHashSet<>();
      long timeMillis = updates.now();
      for (Waiting<ShortBatch, Taken> waiting : together) {
        if (!admits(data, waiting)) {
          continue;
        }
        Open batch = new Open(waiting);
        open.add(batch);
        for (ShortUpdate update : waiting.request().updates()) {
          if (!names.add(update.key().turn())) {
            // What is sent twice is known once the first is applied.
            applyAll(data, group);
            group.clear();
            names.clear();
            names.add(update.key().turn());
          }
          if (batch.failure.isEmpty()) {
            plan(data, batch, update, timeMillis).ifPresent(group::add);
          }
        }
      }
      applyAll(data, group);
      for (Open batch : open) {
        batch.waiting.done(
            new Taken(batch.results, data.order().reach(), data.position(), batch.failure));
      }
    } finally {
      state.unlock();
    }
  }

  /** Returns whether a batch can be taken now; otherwise it has failed. */
  private boolean admits(ReplicaData data, Waiting<ShortBatch, Taken> waiting) {
    ShortBatch batch = waiting.request();
    try {
      updates.requireGeneration(batch.generation());
      if (state.fence().requireLeading() != batch.epoch()) {
        throw new UniserveException(
            ErrorCode.STALE_ROUTING, state.target() + " is led in another epoch by now");
      }
      if (data.markedEpoch() != batch.epoch()
          || data.order().reach().compareTo(batch.sight()) < 0) {
        throw new UniserveException(
            ErrorCode.UNAVAILABLE,
            state.target() + " lacks an item of the order that its update comes after");
      }
      return true;
    } catch (UniserveException e) {
      waiting.fail(e);
      return false;
    }
  }

  /** Plans an update; empty if nothing of its batch is to be applied from here on. */
  private Optional<Planned> plan(
      ReplicaData data, Open batch, ShortUpdate update, long timeMillis) {
    Optional<AppliedKey> before = data.known(update.key());
    boolean refused = data.order().refusalOf(update.key()).isPresent();
    try {
      if (refused) {
        return Optional.of(
            new Planned(batch, update, timeMillis, Optional.empty(), Optional.empty()));
      }
      data.requireFit(update.key(), before, timeMillis);
      if (before.filter(AppliedKey::whole).isEmpty()) {
        actors.check(update.function(), update.records());
      }
      Optional<Payload> rest =
          updates.rest(
              batch.waiting.request().partitioner(), before, update.function(), update.records());
      rest.ifPresent(
          records -> LogEntryCodec.requireSize(actors.sizeBytes(update.function(), records)));
      return Optional.of(new Planned(batch, update, timeMillis, rest, Optional.empty()));
    } catch (EngineFailedException e) {
      throw e;
    } catch (UniserveException e) {
      if (Refusals.isFinal(e)) {
        return Optional.of(
            new Planned(batch, update, timeMillis, Optional.empty(), Optional.of(Refusals.of(e))));
      }
      batch.failure = Optional.of(e);
      return Optional.empty();
    }
  }

  /** Applies updates together, and logs what has become of them in one write. */
  private void applyAll(ReplicaData data, List<Planned> group) {
    List<Planned> left = group;
    while (!left.isEmpty()) {
      List<Planned> open = left.stream().filter(one -> one.batch.failure.isEmpty()).toList();
      left = open.subList(applySome(data, open), open.size());
    }
  }

  /** Applies the first of some updates; returns how many have a result, or have failed. */
  private int applySome(ReplicaData data, List<Planned> group) {
    Iterator<Tried> outcomes = tryAll(data, group).iterator();
    List<ReplicaUpdates.Step> steps = new ArrayList<>();
    Position next = updates.next(data);
    int received = 0;
    Optional<UniserveException> failure = Optional.empty();
    for (Planned planned : group) {
      if (planned.records.isPresent() && !outcomes.hasNext()) {
        break;
      }
      Optional<ReplicaUpdates.Step> step = Optional.empty();
      if (planned.records.isEmpty()) {
        Position at = next;
        step = planned.refusal.map(why -> new ReplicaUpdates.Step.Noted(planned.declined(at, why)));
      } else {
        switch (outcomes.next()) {
          case Ran ran ->
              step = Optional.of(new ReplicaUpdates.Step.Applied(at(next, planned, ran)));
          case Tried.Refused refused when Refusals.isFinal(refused.reason()) ->
              step =
                  Optional.of(
                      new ReplicaUpdates.Step.Noted(
                          planned.declined(next, Refusals.of(refused.reason()))));
          case Tried.Refused refused -> failure = Optional.of(refused.reason());
        }
      }
      if (failure.isPresent()) {
        break; // nothing of its session comes after an update that may be applied later
      }
      if (step.isPresent()) {
        steps.add(step.get());
        next = new Position(next.epoch(), next.sequence() + 1);
      }
      received++;
    }
    updates.log(data, steps);
    counters.tookShort(steps.size());
    group.subList(0, received).forEach(one -> one.batch.results.add(known(data, one.update)));
    if (failure.isPresent()) {
      group.get(received).batch.failure = failure;
    }
    return failure.isPresent() ? received + 1 : received;
  }

  private List<Tried> tryAll(ReplicaData data, List<Planned> group) {
    List<Function<Position, LogEntry.Change>> changes = new ArrayList<>();
    group.stream()
        .filter(planned -> planned.records.isPresent())
        .forEach(planned -> changes.add(planned::change));
    return changes.isEmpty() ? List.of() : updates.tryAll(data, changes);
  }

  private static Ran at(Position position, Planned planned, Ran ran) {
    return new Ran(
        planned.change(position).answered(ran.entry().answer()),
        ran.given().map(given -> given.at(position)));
  }

  private static Result known(ReplicaData data, ShortUpdate update) {
    Optional<AppliedKey> applied = data.known(update.key());
    return new Result(
        data.order().reach().number(),
        applied.map(AppliedKey::position).orElse(data.position()),
        data.order().refusalOf(update.key()),
        applied.map(AppliedKey::answers).orElse(List.of()));
  }
}
