package io.uniserve.runtime.control.log;

import io.uniserve.runtime.wire.entry.OrderPlace;
import java.util.List;

/**
 * One update in the order of its table, kept until all its actors have received it.
 *
 * @param number its place
 * @param update the update that was placed there
 * @param previous the number of the actor's update before, for each of its portions
 */
public record OrderedUpdate(long number, OrderChange.Placed update, List<Long> previous) {
  /** Copies the list. */
  public OrderedUpdate {
    previous = List.copyOf(previous);
  }

  /** Returns the numbers of the actors that it goes to. */
  public List<Integer> actors() {
    return update.portions().stream().map(OrderChange.Portion::actor).toList();
  }

  /** Returns its place as one of its actors sees it. */
  public OrderPlace placeAt(int actor) {
    return new OrderPlace(number, previous.get(actors().indexOf(actor)), actors());
  }

  /** Returns the portion of one of its actors. */
  public OrderChange.Portion portionOf(int actor) {
    return update.portions().get(actors().indexOf(actor));
  }
}
