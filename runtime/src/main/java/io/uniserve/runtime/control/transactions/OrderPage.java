package io.uniserve.runtime.control.transactions;

import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.control.log.OrderedUpdate;
import io.uniserve.runtime.wire.OrderedMessage.Outcome;
import io.uniserve.runtime.wire.entry.Hash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The updates of one table that are not settled. Only for the deciding thread. */
final class OrderPage {
  private final NavigableMap<Long, OrderEntry> entries = new TreeMap<>();
  private final Map<Hash, OrderEntry> byKey = new LinkedHashMap<>();

  /** The numbers of updates that all their actors have received. */
  private final SortedSet<Long> happened = new TreeSet<>();

  OrderEntry open(OrderedUpdate update) {
    OrderEntry entry = new OrderEntry(update);
    entries.put(update.number(), entry);
    byKey.put(update.update().key().name(), entry);
    return entry;
  }

  Optional<OrderEntry> withKey(Hash name) {
    return Optional.ofNullable(byKey.get(name));
  }

  /** Notes an actor's outcome of an update. */
  void got(long number, Outcome outcome) {
    OrderEntry entry = entries.get(number);
    entry.got(outcome);
    if (entry.happened()) {
      happened.add(number);
    }
  }

  /** Notes that an actor has lost the updates after a number. */
  void lost(int actor, long after) {
    for (OrderEntry entry : entries.tailMap(after, false).values()) {
      entry.lost(actor);
      if (!entry.happened()) {
        happened.remove(entry.update().number());
      }
    }
  }

  /** Removes the updates that all their actors have received. */
  List<OrderedUpdate> takeHappened() {
    List<OrderedUpdate> taken = new ArrayList<>();
    for (long number : happened) {
      OrderEntry entry = entries.remove(number);
      byKey.remove(entry.update().update().key().name(), entry);
      taken.add(entry.update());
    }
    happened.clear();
    return taken;
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Tells all who wait why the table is not there any more. */
  void gone(UniserveException why) {
    entries.values().forEach(entry -> entry.gone(why));
  }
}
