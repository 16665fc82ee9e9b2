package io.uniserve.runtime.control.transactions;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.DeferredReply;
import io.uniserve.runtime.control.log.TableOrder;
import io.uniserve.runtime.wire.OrderedMessage.AskMark;
import io.uniserve.runtime.wire.OrderedMessage.Stamped;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The desk that gives reads their marks (RB §6.7). A mark is not in the log: once this controller
 * is known to lead after the question came, the mark names the last number that was given before,
 * and is put into the stream of deliveries. Reads share a mark that is given after all of them have
 * asked. So a mark comes after everything that whoever asks has heard of, updates that take a short
 * way past the order and other marks included. Only for the deciding thread.
 */
final class MarkDesk {
  /** The number of actors that a question may name. */
  private static final int ACTORS_MAX = 100_000;

  private final Decisions decisions;
  private final Deliveries deliveries;
  private final Map<Long, Given> newest = new TreeMap<>();
  private long serial;

  /** The number of questions that have come. */
  private long asked;

  /**
   * A mark that reads may still share.
   *
   * @param asked the number of questions that had come when it was given, which may share it
   * @param actors the actors that it was sent to
   */
  private record Given(Mark mark, long asked, Set<Integer> actors) {}

  MarkDesk(Decisions decisions, Deliveries deliveries) {
    this.decisions = decisions;
    this.deliveries = deliveries;
  }

  void ask(TableState table, AskMark request, Incoming call) {
    Collection<Integer> actors = request.actors();
    if (actors.isEmpty()
        || actors.size() > ACTORS_MAX
        || actors.stream().anyMatch(actor -> actor < 0 || actor >= table.actors().size())) {
      throw UniserveException.invalid(
          "table '" + table.definition().name() + "' has not all of the actors " + actors);
    }
    long number = decisions.orders().table(table.id()).map(TableOrder::last).orElse(0L);
    long question = ++asked;
    decisions.whenCommitted(() -> give(table.id(), number, question, actors, call));
  }

  /** Gives a mark. Nothing after its number is committed yet, since effects run in order. */
  private void give(
      long table, long number, long question, Collection<Integer> actors, Incoming call) {
    TableState now = decisions.state().tables().get(table);
    if (now == null) {
      call.fail(decisions.state().gone(table));
      return;
    }
    Given given = newest.get(table);
    if (given == null || given.mark().number() != number || given.asked() < question) {
      given = new Given(new Mark(number, decisions.term(), ++serial), asked, new TreeSet<>());
      newest.put(table, given);
    }
    for (int actor : actors) {
      if (now.living().containsKey(actor) && given.actors().add(actor)) {
        deliveries.mark(new ActorId(table, actor), given.mark());
      }
    }
    DeferredReply.tell(call, new Stamped(given.mark()));
  }

  void dropped(long table) {
    newest.remove(table);
  }
}
