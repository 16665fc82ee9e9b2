package io.uniserve.runtime.server.replica;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.server.engine.EngineFailedException;
import io.uniserve.runtime.server.keys.AppliedKey;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.entry.LogEntry;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.List;
import java.util.Optional;

/**
 * The ordered updates of an actor, applied by its primary each right after the actor's previous one
 * (RB §5.4). They are entries of its log, so copies, failover and restarts need not know of the
 * order. Followers repeat what the primary decides of an update.
 */
final class ReplicaOrder {
  private static final Refusal DROPPED =
      new Refusal(
          ErrorCode.ABORTED, "an operator dropped this update, with which the engine has failed");

  private static final int MESSAGE_CHARACTERS_MAX = 1_000;

  private final ReplicaState state;
  private final EngineActors actors;
  private final ReplicaUpdates updates;

  ReplicaOrder(ReplicaState state, EngineActors actors, ReplicaUpdates updates) {
    this.state = state;
    this.actors = actors;
    this.updates = updates;
  }

  Received receive(int generation, Partitioner partitioner, Delivery delivery) {
    Optional<Refusal> invalid = invalid(delivery);
    state.lock();
    try {
      state.fence().requireLeading();
      updates.requireGeneration(generation);
      ReplicaData data = state.require();
      long last = data.order().last();
      if (delivery.place().number() <= last) {
        return known(delivery, data);
      }
      if (delivery.after() > last) {
        return new Received.Behind(last);
      }
      data.order().requireNext(delivery.place());
      return apply(delivery, partitioner, data, invalid);
    } finally {
      state.unlock();
    }
  }

  /**
   * Returns the refusal of an update that the engine must not see. The runtime refuses it on all
   * copies alike.
   */
  private Optional<Refusal> invalid(Delivery delivery) {
    try {
      actors.check(delivery.function(), delivery.records());
      return Optional.empty();
    } catch (UniserveException e) {
      return Optional.of(refusal(e));
    }
  }

  /**
   * Returns the refusal of an update that its key does not allow. It is logged like a refusal of
   * the engine.
   */
  private static Optional<Refusal> unfit(
      Delivery delivery, Optional<AppliedKey> before, ReplicaData data) {
    try {
      ReplicaUpdates.requireFit(delivery.key(), before, time(delivery, data));
      return Optional.empty();
    } catch (UniserveException e) {
      return Optional.of(refusal(e));
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

  private Received known(Delivery delivery, ReplicaData data) {
    Optional<AppliedKey> applied = data.known(delivery.key());
    return new Received.Got(
        new Result(
            delivery.place().number(),
            applied.map(AppliedKey::position).orElse(data.position()),
            data.order().refusalOf(delivery.key()),
            applied.map(AppliedKey::answers).orElse(List.of())));
  }

  private Received apply(
      Delivery delivery, Partitioner partitioner, ReplicaData data, Optional<Refusal> invalid) {
    Optional<AppliedKey> before = data.known(delivery.key());
    Optional<Refusal> wrong = unfit(delivery, before, data).or(() -> invalid);
    boolean refused = data.order().refusalOf(delivery.key()).isPresent();
    boolean applied = before.filter(AppliedKey::whole).isPresent();
    if (refused || applied && wrong.isEmpty()) {
      pass(delivery, data, Optional.empty());
    } else if (wrong.isPresent()) {
      pass(delivery, data, wrong);
    } else if (delivery.dropped()) {
      pass(delivery, data, Optional.of(DROPPED));
    } else {
      try {
        Optional<Payload> rest =
            updates.rest(partitioner, before, delivery.function(), delivery.records());
        if (rest.isEmpty()) {
          pass(delivery, data, Optional.empty());
        } else {
          updates.append(next -> ordered(next, delivery, rest.get(), data));
        }
      } catch (EngineFailedException e) {
        // The update has its place: nothing comes after it here until it is applied or dropped.
        throw new EngineFailedException(
            "ordered update " + delivery.place().number() + " of " + state.target(), e.getCause());
      } catch (UniserveException e) {
        if (e.retryable() || e.code() == ErrorCode.CANCELLED) {
          throw e;
        }
        pass(delivery, data, Optional.of(refusal(e)));
      }
    }
    return known(delivery, data);
  }

  private void pass(Delivery delivery, ReplicaData data, Optional<Refusal> refusal) {
    updates.append(
        next ->
            new LogEntry.Passed(
                next, time(delivery, data), delivery.place(), delivery.key(), refusal));
  }

  private static LogEntry.Ordered ordered(
      Position next, Delivery delivery, Payload records, ReplicaData data) {
    return new LogEntry.Ordered(
        next,
        time(delivery, data),
        delivery.place(),
        delivery.key(),
        delivery.function(),
        records,
        Optional.empty());
  }

  /** Returns the time of an update. Time never goes back, whatever the coordinators' clocks do. */
  private static long time(Delivery delivery, ReplicaData data) {
    return Math.max(delivery.timeMillis(), data.timeMillis());
  }

  private static String bounded(String message) {
    return message.substring(0, Math.min(message.length(), MESSAGE_CHARACTERS_MAX));
  }

  private static Refusal refusal(UniserveException failure) {
    return new Refusal(failure.code(), bounded(String.valueOf(failure.getMessage())));
  }
}
