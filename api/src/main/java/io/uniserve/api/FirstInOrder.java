package io.uniserve.api;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * A merge of ordered values that keeps the first ones. It holds as many as there is a limit, and
 * one more.
 *
 * @param <V> the values
 */
final class FirstInOrder<V> implements Operator.Combiner<V, List<V>> {
  private final int limit;
  private final Comparator<Entry<V>> order;
  private final PriorityQueue<Entry<V>> first;
  private long added;

  /** A value, and where it came from. Actors arrive in any order, so that decides nothing. */
  private record Entry<V>(V value, int actor, long place) {}

  FirstInOrder(Comparator<? super V> order, int limit) {
    this.limit = limit;
    this.order =
        Comparator.<Entry<V>, V>comparing(Entry::value, order)
            .thenComparingInt(Entry::actor)
            .thenComparingLong(Entry::place);
    this.first = new PriorityQueue<>(this.order.reversed());
  }

  @Override
  public void add(int actor, V value) {
    first.add(new Entry<>(value, actor, added++));
    if (first.size() > limit) {
      first.remove();
    }
  }

  @Override
  public List<V> result() {
    List<Entry<V>> sorted = new ArrayList<>(first);
    sorted.sort(order);
    return sorted.stream().map(Entry::value).toList();
  }
}
