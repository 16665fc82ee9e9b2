package io.uniserve.runtime.control;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.wire.TransactionMessage.TakeTurn;
import io.uniserve.runtime.wire.TransactionMessage.TurnTaken;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whose turn it is to update each table by a transaction, first come, first served. A turn is a
 * call that goes on: it ends with the decision, or when its client cancels, dies or is too late.
 * Nothing is remembered of turns that ended, and nothing outlives the coordinator: a transaction
 * whose turn is over has been decided, or never is. Only for the deciding thread.
 */
final class Turns {
  private static final int WAITING_MAX = 1_000;

  /** A client that lives and does nothing must not keep others waiting for ever. */
  private static final Duration TURN_MAX = Duration.ofSeconds(60);

  private static final class Turn {
    private final TakeTurn request;
    private final Incoming call;
    private Clock.Timer limit;

    Turn(TakeTurn request, Incoming call) {
      this.request = request;
      this.call = call;
    }

    boolean isOf(String transaction) {
      return request.transaction().equals(transaction);
    }
  }

  private final Decisions decisions;
  private final Clock clock;
  private final Map<Long, Deque<Turn>> queues = new TreeMap<>();

  Turns(Decisions decisions, Clock clock) {
    this.decisions = decisions;
    this.clock = clock;
  }

  /** Lets a transaction wait for its turn. */
  void await(TakeTurn request, Incoming call) {
    Deque<Turn> queue = queues.computeIfAbsent(request.table(), table -> new ArrayDeque<>());
    if (queue.size() >= WAITING_MAX) {
      throw new UniserveException(
          ErrorCode.OVERLOADED,
          "table " + request.table() + " has " + queue.size() + " updates waiting");
    }
    Turn turn = new Turn(request, call);
    queue.add(turn);
    call.onCancel(() -> decisions.submit(() -> end(turn)));
    if (queue.getFirst() == turn) {
      begin(turn);
    }
  }

  /** Whether it is this transaction's turn. */
  boolean isOf(long table, String transaction) {
    Deque<Turn> queue = queues.get(table);
    return queue != null && queue.getFirst().isOf(transaction);
  }

  /** Whether it is this transaction's turn, or will be. */
  boolean awaitedBy(long table, String transaction) {
    Deque<Turn> queue = queues.getOrDefault(table, new ArrayDeque<>());
    return queue.stream().anyMatch(turn -> turn.isOf(transaction));
  }

  /** Ends the turn of a transaction, which has it. */
  void end(long table, String transaction) {
    if (isOf(table, transaction)) {
      end(queues.get(table).getFirst());
    }
  }

  private void begin(Turn turn) {
    try {
      turn.call.reply(new TurnTaken());
      turn.limit = clock.schedule(TURN_MAX, () -> decisions.submit(() -> end(turn)));
    } catch (UniserveException e) {
      // Its client is gone.
      end(turn);
    }
  }

  private void end(Turn turn) {
    Deque<Turn> queue = queues.get(turn.request.table());
    if (queue == null || !queue.contains(turn)) {
      return;
    }
    boolean had = queue.getFirst() == turn;
    queue.remove(turn);
    turn.call.complete();
    if (turn.limit != null) {
      turn.limit.cancel();
    }
    if (queue.isEmpty()) {
      queues.remove(turn.request.table());
    } else if (had) {
      begin(queue.getFirst());
    }
  }
}
