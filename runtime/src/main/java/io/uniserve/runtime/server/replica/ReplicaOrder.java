package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.actor.EngineActors;
import io.uniserve.runtime.server.actor.Ran;
import io.uniserve.runtime.server.actor.Tried;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.keys.AppliedKey;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.OrderedMessage.MarkDelivery;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.LogEntryCodec;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;

/**
 * The ordered updates of an actor, applied by its primary each right after the actor's previous one
 * (RB §5.4). They are entries of its log, so copies, failover and restarts need not know of the
 * order. Followers repeat what the primary decides of an update.
 */
final class ReplicaOrder {
  private static final Refusal DROPPED =
      new Refusal(
          ErrorCode.ABORTED, "an operator dropped this update, with which the engine has failed");

  private final ReplicaState state;
  private final EngineActors actors;
  private final ReplicaUpdates updates;

  /** The number up to which updates are applied one by one, since engine code has failed. */
  private long singlyUntil;

  ReplicaOrder(ReplicaState state, EngineActors actors, ReplicaUpdates updates) {
    this.state = state;
    this.actors = actors;
    this.updates = updates;
  }

  Received receive(
      int generation,
      Partitioner partitioner,
      List<Delivery> deliveries,
      List<MarkDelivery> marks) {
    List<Optional<Refusal>> invalid = deliveries.stream().map(this::invalid).toList();
    state.lock();
    try {
      state.fence().requireLeading();
      updates.requireGeneration(generation);
      return receive(state.require(), partitioner, deliveries, new ArrayDeque<>(marks), invalid);
    } finally {
      state.unlock();
    }
  }

  /**
   * Takes updates in groups that the engine applies together. A group ends before an update that
   * the actor has, or whose key is in the group already, since what becomes of it depends on that,
   * and before a mark, since reads see what is there then.
   */
  private Received receive(
      ReplicaData data,
      Partitioner partitioner,
      List<Delivery> deliveries,
      Queue<MarkDelivery> marks,
      List<Optional<Refusal>> invalid) {
    List<Result> results = new ArrayList<>();
    List<Planned> group = new ArrayList<>();
    Set<Hash> names = new LinkedHashSet<>();
    Optional<Long> behind = Optional.empty();
    try {
      for (int i = 0; i < deliveries.size() && behind.isEmpty(); i++) {
        Delivery delivery = deliveries.get(i);
        long number = delivery.place().number();
        long end = last(data, group);
        boolean marked = !marks.isEmpty() && marks.element().mark().number() < number;
        boolean read = actors.isRead(delivery);
        if (number <= end
            || end <= singlyUntil
            || marked
            || read
            || names.contains(delivery.key().turn())) {
          applyAll(data, group, results);
          group.clear();
          names.clear();
        }
        while (marked && behind.isEmpty()) {
          behind = mark(data, marks.remove());
          marked = !marks.isEmpty() && marks.element().mark().number() < number;
        }
        if (behind.isPresent()) {
          break;
        }
        long last = last(data, group);
        if (number <= last) {
          results.add(known(delivery, data));
        } else if (delivery.after() > last) {
          behind = Optional.of(last);
        } else if (read) {
          markPlace(data, delivery);
          results.add(known(delivery, data));
        } else {
          group.add(plan(delivery, partitioner, data, invalid.get(i)));
          names.add(delivery.key().turn());
        }
      }
      applyAll(data, group, results);
      while (behind.isEmpty() && !marks.isEmpty()) {
        behind = mark(data, marks.remove());
      }
      return new Received(results, behind.map(known -> data.order().last()), Optional.empty());
    } catch (UniserveException e) {
      return new Received(results, Optional.empty(), Optional.of(e));
    }
  }

  /**
   * Logs a mark, unless the actor has got further, so that nothing can be read at it.
   *
   * @return the last number that the actor has received, if updates before the mark are missing
   */
  private Optional<Long> mark(ReplicaData data, MarkDelivery delivery) {
    long last = data.order().last();
    if (delivery.after() > last) {
      return Optional.of(last);
    }
    if (delivery.mark().compareTo(data.order().reach()) > 0) {
      note(data, delivery.mark(), Optional.empty(), data.timeMillis());
    }
    return Optional.empty();
  }

  /** Logs the mark of a read that has a place in the order itself. */
  private void markPlace(ReplicaData data, Delivery delivery) {
    data.order().requireNext(delivery.place());
    Mark mark = Mark.ofPlace(delivery.place().number());
    note(data, mark, Optional.of(delivery.place()), time(delivery, data));
  }

  private void note(ReplicaData data, Mark mark, Optional<OrderPlace> place, long timeMillis) {
    LogEntry marked = new LogEntry.Marked(updates.next(data), timeMillis, mark, place);
    updates.log(data, List.of(new ReplicaUpdates.Step.Noted(marked)));
  }

  private static long last(ReplicaData data, List<Planned> group) {
    return group.isEmpty() ? data.order().last() : group.getLast().delivery().place().number();
  }

  /**
   * Returns the refusal of an update that the engine must not see. The runtime refuses it on all
   * copies alike.
   */
  private Optional<Refusal> invalid(Delivery delivery) {
    try {
      if (!actors.isRead(delivery)) {
        actors.check(delivery.function(), delivery.records());
      }
      return Optional.empty();
    } catch (UniserveException e) {
      return Optional.of(Refusals.of(e));
    }
  }

  /**
   * Returns the refusal of an update that its key does not allow. It is logged like a refusal of
   * the engine.
   */
  private static Optional<Refusal> unfit(
      Delivery delivery, Optional<AppliedKey> before, ReplicaData data) {
    try {
      data.requireFit(delivery.key(), before, time(delivery, data));
      return Optional.empty();
    } catch (UniserveException e) {
      return Optional.of(Refusals.of(e));
    }
  }

  /** Returns the result of an update that the actor has received; empty if it does not know it. */
  Optional<Result> recall(UpdateKey key) {
    state.lock();
    try {
      state.fence().requireLeading();
      ReplicaData data = state.require();
      Optional<Refusal> refusal = data.order().refusalOf(key);
      Optional<AppliedKey> applied = data.known(key);
      return refusal.isPresent() || applied.isPresent()
          ? Optional.of(
              new Result(
                  0,
                  applied.map(AppliedKey::position).orElse(data.position()),
                  refusal,
                  applied.map(AppliedKey::answers).orElse(List.of())))
          : Optional.empty();
    } finally {
      state.unlock();
    }
  }

  private static Result known(Delivery delivery, ReplicaData data) {
    Optional<AppliedKey> applied = data.known(delivery.key());
    return new Result(
        delivery.place().number(),
        applied.map(AppliedKey::position).orElse(data.position()),
        data.order().refusalOf(delivery.key()),
        applied.map(AppliedKey::answers).orElse(List.of()));
  }

  /**
   * One update to be received.
   *
   * @param timeMillis its time
   * @param records the records that the engine is to apply; empty if it is not asked
   * @param refusal the reason why it is not asked, unless the actor has applied the update before
   */
  private record Planned(
      Delivery delivery, long timeMillis, Optional<Payload> records, Optional<Refusal> refusal) {
    LogEntry.Change change(Position next) {
      return new LogEntry.Ordered(
          next,
          timeMillis,
          delivery.place(),
          delivery.key(),
          delivery.function(),
          records.orElseThrow(),
          Optional.empty());
    }

    LogEntry passed(Position next, Optional<Refusal> why) {
      return new LogEntry.Passed(next, timeMillis, delivery.place(), delivery.key(), why);
    }
  }

  private Planned plan(
      Delivery delivery, Partitioner partitioner, ReplicaData data, Optional<Refusal> invalid) {
    data.order().requireNext(delivery.place());
    long timeMillis = time(delivery, data);
    Optional<AppliedKey> before = data.known(delivery.key());
    Optional<Refusal> wrong = unfit(delivery, before, data).or(() -> invalid);
    boolean refused = data.order().refusalOf(delivery.key()).isPresent();
    boolean applied = before.filter(AppliedKey::whole).isPresent();
    if (refused || applied && wrong.isEmpty()) {
      return new Planned(delivery, timeMillis, Optional.empty(), Optional.empty());
    }
    if (wrong.isPresent() || delivery.dropped()) {
      return new Planned(
          delivery, timeMillis, Optional.empty(), wrong.or(() -> Optional.of(DROPPED)));
    }
    try {
      Optional<Payload> rest =
          updates.rest(partitioner, before, delivery.function(), delivery.records());
      rest.ifPresent(
          records -> LogEntryCodec.requireSize(actors.sizeBytes(delivery.function(), records)));
      return new Planned(delivery, timeMillis, rest, Optional.empty());
    } catch (EngineFailedException e) {
      throw e;
    } catch (UniserveException e) {
      return new Planned(
          delivery,
          timeMillis,
          Optional.empty(),
          Optional.of(Refusals.of(Refusals.requireFinal(e))));
    }
  }

  /**
   * Applies updates together, and logs what has become of them in one write.
   *
   * @param results gets the result of each that was received
   * @throws UniserveException if an update may be received later
   */
  private void applyAll(ReplicaData data, List<Planned> group, List<Result> results) {
    List<Planned> left = group;
    while (!left.isEmpty()) {
      List<Tried> tried = tryAll(data, left);
      List<ReplicaUpdates.Step> steps = new ArrayList<>();
      Optional<UniserveException> failure = Optional.empty();
      Position next = updates.next(data);
      Iterator<Tried> outcomes = tried.iterator();
      for (Planned planned : left) {
        if (planned.records().isEmpty()) {
          steps.add(new ReplicaUpdates.Step.Noted(planned.passed(next, planned.refusal())));
        } else if (!outcomes.hasNext()) {
          break;
        } else {
          switch (outcomes.next()) {
            case Ran ran -> steps.add(new ReplicaUpdates.Step.Applied(at(next, planned, ran)));
            case Tried.Refused refused when Refusals.isFinal(refused.reason()) ->
                steps.add(
                    new ReplicaUpdates.Step.Noted(
                        planned.passed(next, Optional.of(Refusals.of(refused.reason())))));
            case Tried.Refused refused -> failure = Optional.of(refused.reason());
          }
        }
        if (failure.isPresent()) {
          break; // nothing comes after an update that may be applied later
        }
        next = new Position(next.epoch(), next.sequence() + 1);
      }
      updates.log(data, steps);
      left.subList(0, steps.size()).forEach(one -> results.add(known(one.delivery(), data)));
      if (failure.isPresent()) {
        throw failure.get();
      }
      left = left.subList(steps.size(), left.size());
    }
  }

  /**
   * Has the engine apply updates together. After a failure of engine code, they are applied one by
   * one when they come again, so that those before the one at fault are applied.
   */
  private List<Tried> tryAll(ReplicaData data, List<Planned> group) {
    List<Function<Position, LogEntry.Change>> changes = new ArrayList<>();
    group.stream()
        .filter(planned -> planned.records().isPresent())
        .forEach(planned -> changes.add(planned::change));
    try {
      return changes.isEmpty() ? List.of() : updates.tryAll(data, changes);
    } catch (EngineFailedException e) {
      long first = group.getFirst().delivery().place().number();
      long last = group.getLast().delivery().place().number();
      singlyUntil = Math.max(singlyUntil, last);
      // The updates have their places: nothing comes after them here until they are applied.
      throw new EngineFailedException(
          "ordered update "
              + (first == last ? "" : first + " to ")
              + last
              + " of "
              + state.target(),
          e.getCause());
    }
  }

  /**
   * Returns what the engine has applied as the entry at a position. Those refused before it have
   * entries of their own.
   */
  private static Ran at(Position position, Planned planned, Ran ran) {
    return new Ran(
        planned.change(position).answered(ran.entry().answer()),
        ran.given().map(given -> given.at(position)));
  }

  /** Returns the time of an update. Time never goes back, whatever the coordinators' clocks do. */
  private static long time(Delivery delivery, ReplicaData data) {
    return Math.max(delivery.timeMillis(), data.timeMillis());
  }
}
