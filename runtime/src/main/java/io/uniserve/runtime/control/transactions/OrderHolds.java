package io.uniserve.runtime.control.transactions;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.control.log.Decisions;
import java.time.Duration;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

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
  private final NavigableMap<ActorId, Long> sinceNanos = new TreeMap<>();

  /** The held actors whose owner has heard that all their updates are settled. */
  private final Set<ActorId> told = new TreeSet<>();

  private Consumer<ActorId> whenSettled = actor -> {};
  private LongConsumer whenReleased = table -> {};

  public OrderHolds(Decisions decisions, Clock clock) {
    this.decisions = decisions;
    this.clock = clock;
  }

  /** Sets the task for each held actor once all its updates are settled. It runs later. */
  public void whenSettled(Consumer<ActorId> task) {
    whenSettled = task;
  }

  /** Sets the task for each table of which an actor is released. It runs later. */
  void whenReleased(LongConsumer task) {
    whenReleased = task;
  }

  /** Returns the tables of which an actor is held. */
  Set<Long> tables() {
    return sinceNanos.keySet().stream()
        .map(ActorId::table)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Tells, once of each hold, that all updates of the held actors of a table are settled. */
  void tellIfSettled(long table) {
    Set<ActorId> held =
        sinceNanos.subMap(new ActorId(table, 0), new ActorId(table + 1, 0)).keySet();
    if (!told.containsAll(held) && held.stream().allMatch(this::isSettled)) {
      told.addAll(held);
      List.copyOf(held).forEach(actor -> decisions.submit(() -> whenSettled.accept(actor)));
    }
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
    told.remove(actor);
    Long since = sinceNanos.remove(actor);
    if (since != null) {
      // The request that ends the hold may yet record a split or merge, which comes first.
      decisions.submit(() -> whenReleased.accept(actor.table()));
    }
  }

  /** Releases the actors of a dropped table. */
  public void dropped(long table) {
    List.copyOf(sinceNanos.keySet()).stream()
        .filter(actor -> actor.table() == table)
        .forEach(this::release);
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
    if (isHeld(actor)) {
      throw held(actor);
    }
  }

  boolean isHeld(ActorId actor) {
    return sinceNanos.containsKey(actor);
  }

  /** Returns the refusal of an update of a held actor. */
  static UniserveException held(ActorId actor) {
    return new UniserveException(
        ErrorCode.UNAVAILABLE,
        "actor " + actor + " is being split or merged; nothing of this update was done");
  }
}
