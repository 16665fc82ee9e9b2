package io.uniserve.runtime.control.transactions;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.wire.TransactionMessage.TakeTurn;
import io.uniserve.runtime.wire.TransactionMessage.TurnTaken;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The turns in which transactions update each table, first come, first served. A turn is a call
 * that goes on. It ends with the decision, or when its client cancels, dies, falls silent or is too
 * late. Ended turns are not remembered, and nothing outlives the coordinator: a transaction whose
 * turn is over has been decided, or never is. Splits and merges take turns as transactions do, so
 * that no transaction is under way when they begin. Only for the deciding thread.
 */
public final class Turns {
  private static final int WAITING_MAX = 1_000;

  /**
   * The longest turn. A client that is alive but does nothing must not keep others waiting for
   * ever.
   */
  private static final Duration TURN_MAX = Duration.ofSeconds(60);

  /** The time after which a silent client counts as dead. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(4);

  /** One turn: it waits, begins, and is over. */
  public final class Turn {
    private final long table;
    private final Optional<String> transaction;
    private final Holder holder;
    private boolean begun;
    private long endsAtNanos;
    private long heardAtNanos;
    private Clock.Timer limit;

    private Turn(long table, Optional<String> transaction, Holder holder) {
      this.table = table;
      this.transaction = transaction;
      this.holder = holder;
      this.heardAtNanos = clock.nanos();
    }

    /** Returns whether the turn has begun and is not over. */
    public boolean lasts() {
      return begun && !isOver();
    }

    /** Returns whether the turn is over, or nobody waits for it any more. */
    public boolean isOver() {
      return !isAwaited(this);
    }

    /** Ends the turn, or the wait for it. */
    public void end() {
      Turns.this.end(this);
    }

    /**
     * Returns for how long the turn may last if its holder stays silent; less than 0 if its time is
     * up.
     */
    private long remainingNanos() {
      long now = clock.nanos();
      long whole = endsAtNanos - now;
      return transaction.isPresent()
          ? Math.min(whole, heardAtNanos + SILENCE_MAX.toNanos() - now)
          : whole;
    }

    private boolean isOf(String other) {
      return transaction.filter(other::equals).isPresent();
    }
  }

  /** The holder of a turn. */
  private interface Holder {
    /**
     * Notes that the turn begins.
     *
     * @throws UniserveException if nobody wants it any more
     */
    void begun();

    /** Notes that the turn is over, whether it had begun or not. */
    void over();
  }

  private record Caller(Incoming call) implements Holder {
    @Override
    public void begun() {
      call.reply(new TurnTaken());
    }

    @Override
    public void over() {
      call.complete();
    }
  }

  private record Inside(Runnable whenBegun) implements Holder {
    @Override
    public void begun() {
      whenBegun.run();
    }

    @Override
    public void over() {}
  }

  private final Decisions decisions;
  private final Clock clock;
  private final Map<Long, Deque<Turn>> queues = new TreeMap<>();

  public Turns(Decisions decisions, Clock clock) {
    this.decisions = decisions;
    this.clock = clock;
  }

  /** Lets a transaction wait for its turn. */
  public void await(TakeTurn request, Incoming call) {
    Deque<Turn> queue = queue(request.table());
    if (queue.size() >= WAITING_MAX) {
      throw new UniserveException(
          ErrorCode.OVERLOADED,
          "table " + request.table() + " has " + queue.size() + " updates waiting");
    }
    Turn turn = new Turn(request.table(), Optional.of(request.transaction()), new Caller(call));
    call.onCancel(() -> decisions.submit(turn::end));
    enqueue(turn);
  }

  /**
   * Lets the coordinator itself wait for a turn, in which no transaction of a table is decided.
   *
   * @param whenBegun called as soon as it has begun, possibly at once
   */
  public Turn await(long table, Runnable whenBegun) {
    Turn turn = new Turn(table, Optional.empty(), new Inside(whenBegun));
    enqueue(turn);
    return turn;
  }

  private Deque<Turn> queue(long table) {
    return queues.getOrDefault(table, new ArrayDeque<>());
  }

  private void enqueue(Turn turn) {
    Deque<Turn> queue = queues.computeIfAbsent(turn.table, table -> new ArrayDeque<>());
    queue.add(turn);
    if (queue.getFirst() == turn) {
      begin(turn);
    }
  }

  private boolean isAwaited(Turn turn) {
    return queue(turn.table).contains(turn);
  }

  /** Returns whether it is this transaction's turn. */
  boolean isOf(long table, String transaction) {
    Deque<Turn> queue = queues.get(table);
    return queue != null && queue.getFirst().isOf(transaction);
  }

  /** Returns whether this transaction has a turn or waits for one. */
  boolean awaitedBy(long table, String transaction) {
    return queue(table).stream().anyMatch(turn -> turn.isOf(transaction));
  }

  /**
   * Notes that the client of a transaction is alive; returns false if the transaction neither has a
   * turn nor waits for one.
   */
  boolean keep(long table, String transaction) {
    Optional<Turn> turn = queue(table).stream().filter(one -> one.isOf(transaction)).findFirst();
    turn.ifPresent(known -> known.heardAtNanos = clock.nanos());
    return turn.isPresent();
  }

  /** Ends the turn of a transaction, if it has one. */
  public void end(long table, String transaction) {
    if (isOf(table, transaction)) {
      end(queues.get(table).getFirst());
    }
  }

  private void begin(Turn turn) {
    try {
      turn.begun = true;
      turn.endsAtNanos = clock.nanos() + TURN_MAX.toNanos();
      limit(turn);
      turn.holder.begun();
    } catch (UniserveException e) {
      // The client is gone.
      end(turn);
    }
  }

  /** Ends the turn once its time is up. */
  private void limit(Turn turn) {
    Duration remaining = Duration.ofNanos(Math.max(0, turn.remainingNanos()));
    turn.limit =
        clock.schedule(
            remaining,
            () ->
                decisions.submit(
                    () -> {
                      if (turn.remainingNanos() <= 0) {
                        end(turn);
                      } else if (turn.lasts()) {
                        limit(turn);
                      }
                    }));
  }

  private void end(Turn turn) {
    if (!isAwaited(turn)) {
      return;
    }
    Deque<Turn> queue = queues.get(turn.table);
    boolean had = queue.getFirst() == turn;
    queue.remove(turn);
    turn.holder.over();
    if (turn.limit != null) {
      turn.limit.cancel();
    }
    if (queue.isEmpty()) {
      queues.remove(turn.table);
    } else if (had) {
      begin(queue.getFirst());
    }
  }
}
