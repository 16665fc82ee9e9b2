package io.uniserve.simulation.scenario.cluster.check;

import io.uniserve.kernel.Invariant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An order of updates and reads of which some are known to stand before others. It exists unless
 * some of them stand before each other in a circle. Two items are never the same one.
 */
final class OneOrder {
  private static final int SHOWN_MAX = 20;

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
        found == all.size(), () -> "no order of all; among those in a circle are " + circle());
  }

  private Map<String, List<String>> circle() {
    Map<String, List<String>> left = new LinkedHashMap<>();
    all.stream()
        .filter(item -> item.earlier > 0)
        .limit(SHOWN_MAX)
        .forEach(
            item ->
                left.put(
                    item.what.toString(),
                    item.later.stream()
                        .filter(later -> later.earlier > 0)
                        .map(later -> later.what.toString())
                        .toList()));
    return left;
  }
}
