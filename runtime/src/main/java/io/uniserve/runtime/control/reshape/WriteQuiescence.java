package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.transactions.OrderHolds;
import io.uniserve.runtime.control.transactions.Turns;
import io.uniserve.runtime.wire.cluster.ActorState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The wait of splits and merges until no update is under way that would have to be divided. Only
 * one attempt waits at a time. In a table of transactions, the attempt takes a turn of its actors,
 * in which no transaction of theirs is under way. The turn ends once the attempt's primaries have
 * stopped. In an ordered table, no new updates are ordered for its actors until the attempt is
 * over. Both give order, not safety, since they may end early. Only for the deciding thread.
 */
public final class WriteQuiescence {
  /** The longest time for which nothing is ordered for actors while earlier updates settle. */
  private static final Duration HOLD_MAX = Duration.ofSeconds(3);

  private final ControlContext control;
  private final Decisions decisions;
  private final ReshapeTurns attempts;
  private final Turns transactions;
  private final OrderHolds orders;

  /** The turns, by the actor with which an attempt begins. */
  private final Map<ActorId, Turns.Turn> turns = new TreeMap<>();

  /**
   * @param attempts the attempts of all splits and merges
   * @param transactions the turns of transactions
   * @param orders the actors for which nothing is ordered
   */
  public WriteQuiescence(
      ControlContext control, ReshapeTurns attempts, Turns transactions, OrderHolds orders) {
    this.control = control;
    this.decisions = control.decisions();
    this.attempts = attempts;
    this.transactions = transactions;
    this.orders = orders;
    orders.whenSettled(control.reconcile());
  }

  /**
   * Returns whether an attempt may begin with actors that are in a state for it. No other attempt
   * may be under way, nor an update that it would have to divide; otherwise the actors wait for the
   * end of that.
   *
   * @param actors the actors of one table, beginning with the one that the attempt begins with
   */
  boolean mayBegin(List<ActorId> actors) {
    if (attempts.free()) {
      return isQuiet(actors);
    }
    if (!attempts.isOf(actors.getFirst())) {
      end(actors); // updates need not wait for this attempt while another runs
    }
    return false;
  }

  private boolean isQuiet(List<ActorId> actors) {
    ActorId first = actors.getFirst();
    return switch (decisions.state().tables().get(first.table()).definition().consistency()) {
      case EVENTUAL -> true;
      case SERIALIZABLE, SNAPSHOT -> hasTurn(actors);
      case ORDERED -> {
        actors.forEach(orders::hold);
        yield isSettled(actors);
      }
    };
  }

  private boolean hasTurn(List<ActorId> actors) {
    turns.values().removeIf(Turns.Turn::isOver);
    return turns
        .computeIfAbsent(
            actors.getFirst(),
            id -> transactions.await(actors, () -> decisions.submit(() -> hasCome(id))))
        .lasts();
  }

  /**
   * Looks at an actor again, since its turn has come. A turn that was given back meanwhile is
   * ignored; who gave it back looks again anyway.
   */
  private void hasCome(ActorId id) {
    if (turns.containsKey(id)) {
      control.reconcile().accept(id);
    }
  }

  /** Returns whether all updates that were ordered for actors are settled. */
  boolean isSettled(List<ActorId> actors) {
    return actors.stream().allMatch(orders::isSettled);
  }

  /** Returns whether updates of actors have waited too long for an attempt that could begin. */
  boolean waitsTooLong(List<ActorId> actors) {
    return attempts.free() && orders.lastsLonger(actors.getFirst(), HOLD_MAX);
  }

  /** Ends the turn of an attempt: its primaries have stopped, or it is over. Transactions go on. */
  void standsStill(ActorId id) {
    Optional.ofNullable(turns.remove(id)).ifPresent(Turns.Turn::end);
  }

  /** Lets updates of an actor go on if it is not to be split or merged any more. */
  void endUnlessReshaping(ActorId id) {
    if (decisions.state().actor(id).flatMap(ActorState::reshaping).isEmpty()) {
      end(List.of(id));
    }
  }

  /** Lets updates of actors go on, since an attempt with them does not begin, or has ended. */
  public void end(List<ActorId> actors) {
    standsStill(actors.getFirst());
    actors.forEach(orders::release);
  }

  /** Forgets the actors of a dropped table. */
  public void dropped(long table) {
    List.copyOf(turns.keySet()).stream()
        .filter(id -> id.table() == table)
        .forEach(this::standsStill);
    orders.dropped(table);
  }
}
