package io.uniserve.runtime.wire.entry;

import java.util.List;

/**
 * The place of an update in the order of its table (RB §5.3), as one actor sees it. It is a
 * function of the control log.
 *
 * @param number the number of the update, counted from 1 in its table
 * @param previous the number of the update that went to the same actor before; 0 if none did
 * @param actors all actors of the update, by number
 */
public record OrderPlace(long number, long previous, List<Integer> actors) {
  /** Copies the list. */
  public OrderPlace {
    actors = List.copyOf(actors);
  }

  /** Returns the same place in a table that is restored from this one: before its first update. */
  OrderPlace inNewTable() {
    return new OrderPlace(0, 0, actors);
  }

  /** Returns whether the update belongs to the table from which this one was restored. */
  public boolean isOfOrigin() {
    return number == 0;
  }
}
