package io.uniserve.runtime.control.transactions;

import io.uniserve.api.ActorId;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The turns in which transactions update actors. Each actor has a queue, first come, first served.
 * A turn is of all its actors at once: it begins when it is the first in the queue of each, so
 * turns without a common actor go on side by side, and no two wait for each other. A turn is a call
 * that goes on. It ends with the decision, or when its client cancels, dies, falls silent or is too
 * late. Ended turns are not remembered, and nothing outlives the coordinator: a transaction whose
 * turn is over has been decided, or never is. Splits and merges take turns as transactions do, so
 * that no transaction of their actors is under way when they begin. Only for the deciding thread.
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
    private final List<ActorId> actors;
    private final Optional<Name> name;
    private final Holder holder;
    private boolean begun;
    private boolean over;
    private long endsAtNanos;
    private long heardAtNanos;
    private Clock.Timer limit;

    private Turn(List<ActorId> actors, Optional<Name> name, Holder holder) {
      this.actors = actors;
      this.name = name;
      this.holder = holder;
      this.heardAtNanos = clock.nanos();
    }

    /** Returns whether the turn has begun and is not over. */
    public boolean lasts() {
      return begun && !over;
    }

    /** Returns whether the turn is over, or nobody waits for it any more. */
    public boolean isOver() {
      return over;
    }

    /** Ends the turn, or the wait for it. */
    public void end() {
      Turns.this.end(this);
    }

    /** Returns whether no earlier turn of any of its actors is left. */
    private boolean isFirst() {
      return actors.stream().allMatch(actor -> queues.get(actor).getFirst() == this);
    }

    /**
     * Returns for how long the turn may last if its holder stays silent; less than 0 if its time is
     * up.
     */
    private long remainingNanos() {
      long now = clock.nanos();
      long whole = endsAtNanos - now;
      return name.isPresent() ? Math.min(whole, heardAtNanos + SILENCE_MAX.toNanos() - now) : whole;
    }
  }

  /** The name of a transaction of a table. */
  private record Name(long table, String transaction) implements Comparable<Name> {
    @Override
    public int compareTo(Name other) {
      int byTable = Long.compare(table, other.table);
      return byTable == 0 ? transaction.compareTo(other.transaction) : byTable;
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
  private final Map<ActorId, Deque<Turn>> queues = new TreeMap<>();
  private final Map<Name, Turn> named = new TreeMap<>();

  /** The number of turns of each table that wait or last. */
  private final Map<Long, Integer> counts = new TreeMap<>();

  public Turns(Decisions decisions, Clock clock) {
    this.decisions = decisions;
    this.clock = clock;
  }

  /**
   * Lets a transaction wait for its turn.
   *
   * @param actors the actors of the table that the request names, at least one
   */
  void await(TakeTurn request, List<ActorId> actors, Incoming call) {
    int count = counts.getOrDefault(request.table(), 0);
    if (count >= WAITING_MAX) {
      throw new UniserveException(
          ErrorCode.OVERLOADED, "table " + request.table() + " has " + count + " updates waiting");
    }
    Name name = new Name(request.table(), request.transaction());
    if (named.containsKey(name)) {
      throw UniserveException.invalid(
          "transaction " + request.transaction() + " has a turn already, or waits for one");
    }
    Turn turn = new Turn(actors, Optional.of(name), new Caller(call));
    call.onCancel(() -> decisions.submit(turn::end));
    enqueue(turn);
  }

  /**
   * Lets the coordinator itself wait for a turn, in which no transaction of some actors is decided.
   *
   * @param actors some actors of one table, at least one
   * @param whenBegun called as soon as it has begun, possibly at once
   */
  public Turn await(List<ActorId> actors, Runnable whenBegun) {
    Turn turn = new Turn(List.copyOf(actors), Optional.empty(), new Inside(whenBegun));
    enqueue(turn);
    return turn;
  }

  private void enqueue(Turn turn) {
    turn.actors.forEach(
        actor -> queues.computeIfAbsent(actor, absent -> new ArrayDeque<>()).add(turn));
    turn.name.ifPresent(name -> named.put(name, turn));
    counts.merge(turn.actors.getFirst().table(), 1, Integer::sum);
    if (turn.isFirst()) {
      begin(turn);
    }
  }

  private Optional<Turn> find(long table, String transaction) {
    return Optional.ofNullable(named.get(new Name(table, transaction)));
  }

  /**
   * Returns whether it is this transaction's turn, and the turn is of all of some actors.
   *
   * @param actors some actors of the table, by number
   */
  boolean isOf(long table, String transaction, List<Integer> actors) {
    return find(table, transaction)
        .filter(Turn::lasts)
        .filter(
            turn ->
                actors.stream().allMatch(actor -> turn.actors.contains(new ActorId(table, actor))))
        .isPresent();
  }

  /** Returns whether this transaction has a turn or waits for one. */
  boolean awaitedBy(long table, String transaction) {
    return find(table, transaction).isPresent();
  }

  /**
   * Notes that the client of a transaction is alive; returns false if the transaction neither has a
   * turn nor waits for one.
   */
  boolean keep(long table, String transaction) {
    Optional<Turn> turn = find(table, transaction);
    turn.ifPresent(known -> known.heardAtNanos = clock.nanos());
    return turn.isPresent();
  }

  /** Ends the turn of a transaction, if it has one. */
  void end(long table, String transaction) {
    find(table, transaction).filter(Turn::lasts).ifPresent(this::end);
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
    if (turn.over) {
      return;
    }
    turn.over = true;
    Set<Turn> next = new LinkedHashSet<>();
    for (ActorId actor : turn.actors) {
      Deque<Turn> queue = queues.get(actor);
      queue.remove(turn);
      if (queue.isEmpty()) {
        queues.remove(actor);
      } else {
        next.add(queue.getFirst());
      }
    }
    turn.name.ifPresent(named::remove);
    counts.computeIfPresent(
        turn.actors.getFirst().table(), (table, count) -> count == 1 ? null : count - 1);
    turn.holder.over();
    if (turn.limit != null) {
      turn.limit.cancel();
    }
    for (Turn waiting : next) {
      // One that begins may end at once, and let another begin.
      if (!waiting.begun && !waiting.over && waiting.isFirst()) {
        begin(waiting);
      }
    }
  }
}
