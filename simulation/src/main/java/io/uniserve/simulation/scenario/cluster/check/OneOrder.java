package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.kernel.Invariant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * An order of updates and reads of which some are known to stand before others. It exists unless
 * some of them stand before each other in a circle. Two items are never the same one.
 */
final class OneOrder {
  private final Map<Object, Item> items = new IdentityHashMap<>();
  private final List<Item> all = new ArrayList<>();

  private static final class Item {
    final Object what;
    final List<Item> later = new ArrayList<>();
    int earlier;

    Item(Object what) {
      this.what = what;
    }
  }

  private Item item(Object what) {
    return items.computeIfAbsent(
        what,
        absent -> {
          Item item = new Item(what);
          all.add(item);
          return item;
        });
  }

  /** Notes that one stands before another. */
  void before(Object first, Object second) {
    item(first).later.add(item(second));
    item(second).earlier++;
  }

  /** Notes that some stand one before another. */
  void chain(List<?> some) {
    for (int i = 1; i < some.size(); i++) {
      before(some.get(i - 1), some.get(i));
    }
  }

  /** Requires that there is such an order. */
  void require() {
    Deque<Item> free = new ArrayDeque<>(all.stream().filter(item -> item.earlier == 0).toList());
    int placed = 0;
    while (!free.isEmpty()) {
      Item next = free.remove();
      placed++;
      for (Item later : next.later) {
        if (--later.earlier == 0) {
          free.add(later);
        }
      }
    }
    int found = placed;
    Invariant.TOTAL_ORDER.require(
        found == all.size(),
        () -> "no order of all; each of these is before the next: " + circle());
  }

  /** Returns the shortest circle among the items that have no place, its first item twice. */
  private List<Object> circle() {
    List<Item> shortest = List.of();
    for (Item item : all) {
      if (item.earlier > 0) {
        List<Item> circle = circleOf(item);
        boolean shorter = shortest.isEmpty() || circle.size() < shortest.size();
        shortest = circle.isEmpty() || !shorter ? shortest : circle;
      }
    }
    return shortest.stream().map(item -> item.what).toList();
  }

  /** Returns a shortest way from an item to itself; empty if there is none. */
  private static List<Item> circleOf(Item start) {
    Map<Item, Item> reachedFrom = new IdentityHashMap<>();
    Deque<Item> next = new ArrayDeque<>(List.of(start));
    while (!next.isEmpty()) {
      Item item = next.remove();
      for (Item later : item.later) {
        if (later.earlier > 0 && reachedFrom.putIfAbsent(later, item) == null) {
          next.add(later);
        }
      }
      if (reachedFrom.containsKey(start)) {
        return way(start, reachedFrom);
      }
    }
    return List.of();
  }

  private static List<Item> way(Item start, Map<Item, Item> reachedFrom) {
    List<Item> way = new ArrayList<>(List.of(start));
    for (Item item = reachedFrom.get(start); item != start; item = reachedFrom.get(item)) {
      way.add(item);
    }
    way.add(start);
    return way.reversed();
  }
}
