package io.uniserve.runtime.control.transactions;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.control.log.OrderedUpdate;
import io.uniserve.runtime.wire.OrderedMessage.Happened;
import io.uniserve.runtime.wire.OrderedMessage.Outcome;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** One update that is not settled, its outcomes so far, and who waits for them. */
final class OrderEntry {
  private final OrderedUpdate update;
  private final SortedMap<Integer, Outcome> outcomes = new TreeMap<>();
  private final Set<Waiter> waiting = new LinkedHashSet<>();

  /** A caller who waits for the outcome of an update. */
  interface Waiter {
    /** Takes the outcome. All actors have received the update. */
    void happened(OrderEntry entry);

    /** Takes the reason why there is no outcome: the update's table is not there any more. */
    void gone(UniserveException why);
  }

  OrderEntry(OrderedUpdate update) {
    this.update = update;
  }

  OrderedUpdate update() {
    return update;
  }

  /** Returns whether all actors have received the update. */
  boolean happened() {
    return outcomes.size() == update.update().portions().size();
  }

  Happened answer() {
    return new Happened(update.number(), List.copyOf(outcomes.values()));
  }

  /** Notes an actor's outcome, and tells those who wait once it was the last. */
  void got(Outcome outcome) {
    outcomes.put(outcome.actor(), outcome);
    if (happened()) {
      List.copyOf(waiting).forEach(waiter -> waiter.happened(this));
      waiting.clear();
    }
  }

  void lost(int actor) {
    outcomes.remove(actor);
  }

  /** Tells a caller the outcome, now or later. */
  void await(Waiter waiter) {
    if (happened()) {
      waiter.happened(this);
    } else {
      waiting.add(waiter);
    }
  }

  void forget(Waiter waiter) {
    waiting.remove(waiter);
  }

  void gone(UniserveException why) {
    List.copyOf(waiting).forEach(waiter -> waiter.gone(why));
  }
}
