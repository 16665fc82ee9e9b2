package io.uniserve.runtime.control;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The order of one table's updates: which number comes next, which number went to each actor last
 * (stateful routing, RB §5.3), and the updates that not all their actors have got. For one thread
 * at a time.
 */
final class TableOrder {
  private final SortedMap<Integer, Long> lastByActor = new TreeMap<>();
  private final NavigableMap<Long, OrderedUpdate> pending = new TreeMap<>();
  private long last;
  private long lastMillis;
  private long pendingBytes;

  /**
   * The same as it is stored.
   *
   * @param table the table's identity
   * @param last the newest number
   * @param lastMillis its time
   * @param lastByActor the newest number that went to each actor
   * @param pending the updates that not all their actors have got
   */
  record Stored(
      long table,
      long last,
      long lastMillis,
      Map<Integer, Long> lastByActor,
      List<OrderedUpdate> pending) {}

  static TableOrder of(Stored stored) {
    TableOrder order = new TableOrder();
    order.last = stored.last();
    order.lastMillis = stored.lastMillis();
    order.lastByActor.putAll(stored.lastByActor());
    stored.pending().forEach(order::keep);
    return order;
  }

  Stored stored(long table) {
    return new Stored(
        table, last, lastMillis, new TreeMap<>(lastByActor), List.copyOf(pending.values()));
  }

  /** Gives an update the next number. */
  OrderedUpdate place(OrderChange.Placed update) {
    long number = ++last;
    lastMillis = Math.max(lastMillis, update.timeMillis());
    List<Long> previous = new ArrayList<>();
    for (OrderChange.Portion portion : update.portions()) {
      Long before = lastByActor.put(portion.actor(), number);
      previous.add(before == null ? 0 : before);
    }
    OrderedUpdate ordered = new OrderedUpdate(number, update, previous);
    keep(ordered);
    return ordered;
  }

  /** An actor was split: what went to it has gone to both parts. */
  void split(int actor, int into) {
    Long before = lastByActor.get(actor);
    if (before != null) {
      lastByActor.put(into, before);
    }
  }

  /** Two actors became one: what went to either has gone to it. */
  void merge(int first, int second, int into) {
    Long before = lastByActor.remove(first);
    Long other = lastByActor.remove(second);
    if (before != null || other != null) {
      lastByActor.put(into, Math.max(before == null ? 0 : before, other == null ? 0 : other));
    }
  }

  private void keep(OrderedUpdate update) {
    pending.put(update.number(), update);
    pendingBytes += update.update().sizeBytes();
  }

  /** All actors have got an update. */
  void settle(long number) {
    OrderedUpdate settled = pending.remove(number);
    if (settled != null) {
      pendingBytes -= settled.update().sizeBytes();
    }
  }

  /** The time of the newest update, in milliseconds since 1970; 0 before the first. */
  long lastMillis() {
    return lastMillis;
  }

  /** The updates that not all their actors have got, in order. */
  Collection<OrderedUpdate> pending() {
    return Collections.unmodifiableCollection(pending.values());
  }

  /** Whether an actor is one of those that have not all got an update. */
  boolean isUnderWayTo(int actor) {
    return pending.values().stream().anyMatch(update -> update.actors().contains(actor));
  }

  /** How much these hold. */
  long pendingBytes() {
    return pendingBytes;
  }
}
