package io.uniserve.runtime.control;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.cluster.ActorState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What splits and merges wait for, one at a time: that no update is under way that would have to be
 * divided. In a table of transactions that is a turn of the table's, in which none is under way,
 * until the primaries that the attempt stops stand still: from then on transactions that do not
 * concern these go on. In a table of ordered updates nothing more is ordered of its actors, until
 * the attempt is over. Both give order, not safety: they may end before. Only for the deciding
 * thread.
 */
final class QuietActors {
  /** For how long at most nothing is ordered of actors because of what was before. */
  private static final Duration HOLD_MAX = Duration.ofSeconds(3);

  private final Decisions decisions;
  private final ReshapeTurns attempts;
  private final Turns transactions;
  private final OrderHolds orders;
  private final Consumer<ActorId> reconcile;

  /** By the actor that an attempt begins with. */
  private final Map<ActorId, Turns.Turn> turns = new TreeMap<>();

  /**
   * @param attempts of all splits and merges
   * @param transactions whose turn it is to update a table
   * @param orders of which actors nothing is ordered
   * @param reconcile has another look at an actor
   */
  QuietActors(
      Decisions decisions,
      ReshapeTurns attempts,
      Turns transactions,
      OrderHolds orders,
      Consumer<ActorId> reconcile) {
    this.decisions = decisions;
    this.attempts = attempts;
    this.transactions = transactions;
    this.orders = orders;
    this.reconcile = reconcile;
  }

  /**
   * Whether an attempt may begin, with actors that are in a state for it: no other is under way,
   * and no update that it would have to divide. If one is, its end is waited for.
   *
   * @param actors of one table, that which the attempt begins with first
   */
  boolean mayBegin(List<ActorId> actors) {
    if (attempts.free()) {
      return isQuiet(actors);
    }
    if (!attempts.isOf(actors.getFirst())) {
      end(actors); // updates need not wait while it does
    }
    return false;
  }

  private boolean isQuiet(List<ActorId> actors) {
    ActorId first = actors.getFirst();
    return switch (decisions.state().tables().get(first.table()).definition().consistency()) {
      case EVENTUAL -> true;
      case SERIALIZABLE, SNAPSHOT -> hasTurn(first);
      case ORDERED -> {
        actors.forEach(orders::hold);
        yield isSettled(actors);
      }
    };
  }

  private boolean hasTurn(ActorId id) {
    turns.values().removeIf(Turns.Turn::isOver);
    return turns
        .computeIfAbsent(
            id, absent -> transactions.await(id.table(), () -> decisions.submit(() -> hasCome(id))))
        .lasts();
  }

  /** What was given back meanwhile is nobody's: whoever gave it back looks again by himself. */
  private void hasCome(ActorId id) {
    if (turns.containsKey(id)) {
      reconcile.accept(id);
    }
  }

  /** Whether all that was ordered of actors has come to all its actors. */
  boolean isSettled(List<ActorId> actors) {
    return actors.stream().allMatch(orders::isSettled);
  }

  /** Whether updates of actors have been waiting for an attempt that could begin for too long. */
  boolean waitsTooLong(List<ActorId> actors) {
    return attempts.free() && orders.lastsLonger(actors.getFirst(), HOLD_MAX);
  }

  /** The primaries that an attempt stops stand still, or it is over: transactions go on. */
  void standsStill(ActorId id) {
    Optional.ofNullable(turns.remove(id)).ifPresent(Turns.Turn::end);
  }

  /** Updates need not wait for an actor that is neither to be split nor to be merged any more. */
  void endUnlessReshaping(ActorId id) {
    if (decisions.state().actor(id).flatMap(ActorState::reshaping).isEmpty()) {
      end(List.of(id));
    }
  }

  /** Updates need not wait for an attempt with these actors, or not any more. */
  void end(List<ActorId> actors) {
    standsStill(actors.getFirst());
    actors.forEach(orders::release);
  }

  /** A table is gone: nobody waits for its actors. */
  void dropped(long table) {
    List.copyOf(turns.keySet()).stream()
        .filter(id -> id.table() == table)
        .forEach(this::standsStill);
    orders.dropped(table);
  }
}
