package io.uniserve.runtime.control.log;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The order of one table's updates: the next number, the last number of each actor (stateful
 * routing, RB §5.3), and the updates that not all their actors have received. For one thread at a
 * time.
 */
public final class TableOrder {
  private final SortedMap<Integer, Long> lastByActor = new TreeMap<>();
  private final NavigableMap<Long, OrderedUpdate> pending = new TreeMap<>();
  private long last;
  private long lastMillis;
  private long pendingBytes;

  /**
   * The stored form of the order.
   *
   * @param table the table's identity
   * @param last the newest number
   * @param lastMillis its time
   * @param lastByActor the newest number that went to each actor
   * @param pending the updates that not all their actors have received
   */
  public record Stored(
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

  /** Notes a split: updates that went to the actor have gone to both parts. */
  void split(int actor, int into) {
    Long before = lastByActor.get(actor);
    if (before != null) {
      lastByActor.put(into, before);
    }
  }

  /** Notes a merge: updates that went to either actor have gone to the merged one. */
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

  /** Settles an update that all its actors have received. */
  void settle(long number) {
    OrderedUpdate settled = pending.remove(number);
    if (settled != null) {
      pendingBytes -= settled.update().sizeBytes();
    }
  }

  /** Returns the time of the newest update, in milliseconds since 1970; 0 before the first. */
  public long lastMillis() {
    return lastMillis;
  }

  /** Returns the updates that not all their actors have received, in order. */
  public Collection<OrderedUpdate> pending() {
    return Collections.unmodifiableCollection(pending.values());
  }

  /** Returns whether an update of an actor is not settled. */
  public boolean isUnderWayTo(int actor) {
    return pending.values().stream().anyMatch(update -> update.actors().contains(actor));
  }

  /** Returns the size of the updates that are not settled, in bytes. */
  public long pendingBytes() {
    return pendingBytes;
  }
}
