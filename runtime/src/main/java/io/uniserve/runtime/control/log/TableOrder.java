package io.uniserve.runtime.control.log;

import io.uniserve.api.codec.Since;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The order of one table's updates: the next number, the last number of each actor (stateful
 * routing, RB §5.3), and the updates that not all their actors have received. For one thread at a
 * time.
 */
public final class TableOrder {
  private final SortedMap<Integer, Long> lastByActor = new TreeMap<>();
  private final NavigableMap<Long, OrderedUpdate> pending = new TreeMap<>();
  private final Map<Integer, Backlog> backlogs = new TreeMap<>();
  private final SortedSet<Long> dropped = new TreeSet<>();
  private final OrderSessions sessions;
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
   * @param sessions the sessions that are remembered
   * @param dropped the numbers of the updates that an operator dropped
   */
  public record Stored(
      long table,
      long last,
      long lastMillis,
      Map<Integer, Long> lastByActor,
      List<OrderedUpdate> pending,
      @Since(2) List<OrderSessions.Mark> sessions,
      @Since(2) List<Long> dropped) {}

  /**
   * The updates of one actor that are not settled.
   *
   * @param updates their number
   * @param sizeBytes the size of their functions and of the actor's records
   */
  public record Backlog(int updates, long sizeBytes) {
    static final Backlog NONE = new Backlog(0, 0);

    private Backlog and(OrderedUpdate update, OrderChange.Portion portion, int sign) {
      long bytes = update.update().function().length + (long) portion.records().length;
      return new Backlog(updates + sign, sizeBytes + sign * bytes);
    }
  }

  TableOrder() {
    this(OrderSessions.of(List.of()));
  }

  private TableOrder(OrderSessions sessions) {
    this.sessions = sessions;
  }

  static TableOrder of(Stored stored) {
    TableOrder order = new TableOrder(OrderSessions.of(stored.sessions()));
    order.last = stored.last();
    order.lastMillis = stored.lastMillis();
    order.lastByActor.putAll(stored.lastByActor());
    stored.pending().forEach(order::keep);
    order.dropped.addAll(stored.dropped());
    return order;
  }

  Stored stored(long table) {
    return new Stored(
        table,
        last,
        lastMillis,
        new TreeMap<>(lastByActor),
        List.copyOf(pending.values()),
        sessions.marks(),
        List.copyOf(dropped));
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

  /** Gives updates of a session the next numbers, and moves the session's mark behind them. */
  List<OrderedUpdate> place(OrderChange.OfSession updates) {
    List<OrderedUpdate> placed = new ArrayList<>();
    updates.each().forEach(update -> placed.add(place(update)));
    sessions.placed(updates, lastMillis);
    return placed;
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
    count(update, 1);
  }

  /** Settles an update that all its actors have received. */
  void settle(long number) {
    OrderedUpdate settled = pending.remove(number);
    if (settled != null) {
      count(settled, -1);
      dropped.remove(number);
    }
  }

  /** Drops an update, unless it is settled: actors that have not applied it refuse it. */
  void drop(long number) {
    if (pending.containsKey(number)) {
      dropped.add(number);
    }
  }

  /** Returns whether an update, which is not settled, was dropped. */
  public boolean isDropped(long number) {
    return dropped.contains(number);
  }

  private void count(OrderedUpdate update, int sign) {
    pendingBytes += sign * update.update().sizeBytes();
    for (OrderChange.Portion portion : update.update().portions()) {
      Backlog counted = backlog(portion.actor()).and(update, portion, sign);
      if (counted.updates() == 0) {
        backlogs.remove(portion.actor());
      } else {
        backlogs.put(portion.actor(), counted);
      }
    }
  }

  /** Returns the number of the newest update; 0 before the first. */
  public long last() {
    return last;
  }

  /** Returns the number of the newest update that went to an actor; 0 before the first. */
  public long last(int actor) {
    return lastByActor.getOrDefault(actor, 0L);
  }

  /** Returns the sessions that are remembered. */
  public OrderSessions sessions() {
    return sessions;
  }

  /** Returns the updates that are not settled, by actor; an actor without any has none. */
  public Map<Integer, Backlog> backlogs() {
    return Collections.unmodifiableMap(backlogs);
  }

  /** Returns the updates of an actor that are not settled. */
  public Backlog backlog(int actor) {
    return backlogs.getOrDefault(actor, Backlog.NONE);
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
    return backlogs.containsKey(actor);
  }

  /** Returns the size of the updates that are not settled, in bytes. */
  public long pendingBytes() {
    return pendingBytes;
  }
}
