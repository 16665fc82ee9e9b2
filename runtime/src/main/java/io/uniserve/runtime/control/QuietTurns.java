package io.uniserve.runtime.control;

import io.uniserve.api.ActorId;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What splits and merges in tables of transactions wait for: a turn of the table's, in which no
 * transaction is under way, until the primaries that they stop stand still. From then on
 * transactions that do not concern these go on. It gives order, not safety: it may end before. Only
 * for the deciding thread.
 */
final class QuietTurns {
  private final Decisions decisions;
  private final ReshapeTurns attempts;
  private final Turns transactions;
  private final Consumer<ActorId> reconcile;

  /** By the actor that an attempt begins with. */
  private final Map<ActorId, Turns.Turn> turns = new TreeMap<>();

  /**
   * @param attempts of all splits and merges
   * @param transactions whose turn it is to update a table
   * @param reconcile has another look at an actor
   */
  QuietTurns(
      Decisions decisions, ReshapeTurns attempts, Turns transactions, Consumer<ActorId> reconcile) {
    this.decisions = decisions;
    this.attempts = attempts;
    this.transactions = transactions;
    this.reconcile = reconcile;
  }

  /**
   * Whether an attempt may begin, with an actor that is in a state for it: no other is under way,
   * and no transaction of its table. If a transaction is, its end is waited for.
   */
  boolean mayBegin(ActorId id) {
    if (attempts.free()) {
      return isQuiet(id);
    }
    if (!attempts.isOf(id)) {
      end(id); // transactions need not wait while it does
    }
    return false;
  }

  private boolean isQuiet(ActorId id) {
    TableState table = decisions.state().tables().get(id.table());
    if (!table.definition().consistency().transactional()) {
      return true;
    }
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

  /** Transactions need not wait for it, or not any more. */
  void end(ActorId id) {
    Optional.ofNullable(turns.remove(id)).ifPresent(Turns.Turn::end);
  }
}
