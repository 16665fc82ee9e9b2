package io.uniserve.runtime.control.transactions;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.control.log.Decisions;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * The actors for which no new updates are ordered, since they are to be split or merged. Once all
 * earlier updates of an actor have arrived at all their actors, none has to be divided or put
 * together. A hold gives progress, not safety: it dies with its coordinator, and an update that is
 * ordered in spite of it keeps the split or merge from being recorded. Only for the deciding
 * thread.
 */
public final class OrderHolds {
  private final Decisions decisions;
  private final Clock clock;
  private final Map<ActorId, Long> sinceNanos = new TreeMap<>();

  public OrderHolds(Decisions decisions, Clock clock) {
    this.decisions = decisions;
    this.clock = clock;
  }

  /** Holds an actor: nothing more is ordered for it until it is released. */
  public void hold(ActorId actor) {
    sinceNanos.putIfAbsent(actor, clock.nanos());
  }

  /** Returns whether an actor has been held for longer than this. */
  public boolean lastsLonger(ActorId actor, Duration most) {
    Long since = sinceNanos.get(actor);
    return since != null && clock.nanos() - since > most.toNanos();
  }

  /** Releases an actor, so that updates of it are ordered again. */
  public void release(ActorId actor) {
    sinceNanos.remove(actor);
  }

  /** Releases the actors of a dropped table. */
  public void dropped(long table) {
    sinceNanos.keySet().removeIf(actor -> actor.table() == table);
  }

  /**
   * Returns whether all updates that were ordered for an actor are settled, so that none is
   * delivered again.
   */
  public boolean isSettled(ActorId actor) {
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
