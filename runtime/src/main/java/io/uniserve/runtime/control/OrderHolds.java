package io.uniserve.runtime.control;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The actors of which nothing more is ordered, since they are to be split or merged: once all that
 * was ordered of them before has come to all its actors, none of it has to be divided or put
 * together. A hold gives progress, not safety: it dies with its coordinator, and what is ordered in
 * spite of it keeps the split or merge from being recorded. Only for the deciding thread.
 */
final class OrderHolds {
  private final Decisions decisions;
  private final Clock clock;
  private final Map<ActorId, Long> sinceNanos = new TreeMap<>();

  OrderHolds(Decisions decisions, Clock clock) {
    this.decisions = decisions;
    this.clock = clock;
  }

  /** Nothing more of an actor is ordered until it is released. */
  void hold(ActorId actor) {
    sinceNanos.putIfAbsent(actor, clock.nanos());
  }

  /** Whether an actor is held for longer than this. */
  boolean lastsLonger(ActorId actor, Duration most) {
    Long since = sinceNanos.get(actor);
    return since != null && clock.nanos() - since > most.toNanos();
  }

  /** Updates of an actor are ordered again. */
  void release(ActorId actor) {
    sinceNanos.remove(actor);
  }

  /** A table is gone. */
  void dropped(long table) {
    sinceNanos.keySet().removeIf(actor -> actor.table() == table);
  }

  /** Whether all that was ordered of an actor is settled, so that nobody will deliver it again. */
  boolean isSettled(ActorId actor) {
    return decisions
        .orders()
        .table(actor.table())
        .filter(order -> order.isUnderWayTo(actor.number()))
        .isEmpty();
  }

  /**
   * Checks that an actor is not held.
   *
   * @throws UniserveException with {@link ErrorCode#UNAVAILABLE} if it is
   */
  void requireNone(ActorId actor) {
    if (sinceNanos.containsKey(actor)) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "actor " + actor + " is being split or merged; nothing of this update was done");
    }
  }
}
