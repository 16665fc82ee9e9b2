package io.uniserve.runtime.wire;

import java.util.List;

/**
 * The place of an update in the order of its table (RB §5.3), as one actor gets it. A function of
 * the control log.
 *
 * @param number of the update: the table's first has 1, and each the next
 * @param previous the number of the update that went to the same actor before; 0 if none did
 * @param actors all that the update goes to, by number
 */
public record OrderPlace(long number, long previous, List<Integer> actors) {
  /** Copies the list. */
  public OrderPlace {
    actors = List.copyOf(actors);
  }

  /** The same in a table that is made of what this one was: before its first update. */
  OrderPlace inNewTable() {
    return new OrderPlace(0, 0, actors);
  }

  /** Whether the update was one of the table that this one was made of. */
  public boolean isOfOrigin() {
    return number == 0;
  }
}
