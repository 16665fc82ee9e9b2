package io.uniserve.runtime.control.transactions;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.api.partition.PartitionChange;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Incoming;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.wire.TransactionMessage;
import io.uniserve.runtime.wire.TransactionMessage.AskOutcome;
import io.uniserve.runtime.wire.TransactionMessage.Decide;
import io.uniserve.runtime.wire.TransactionMessage.Decided;
import io.uniserve.runtime.wire.TransactionMessage.KeepTurn;
import io.uniserve.runtime.wire.TransactionMessage.Outcome;
import io.uniserve.runtime.wire.TransactionMessage.TakeTurn;
import io.uniserve.runtime.wire.TransactionMessage.TurnKept;
import io.uniserve.runtime.wire.TransactionMessage.Vote;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.cluster.ControlRecord.TransactionAborted;
import io.uniserve.runtime.wire.cluster.ControlRecord.TransactionCommitted;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The decisions of transactions (DPA §4.3): commit if the transaction whose turn it is asks for it,
 * and abort if nobody can decide it any more. Only for the deciding thread.
 */
public final class Transactions {
  private final Decisions decisions;
  private final Clock clock;
  private final Turns turns;

  public Transactions(Decisions decisions, Clock clock, Turns turns) {
    this.decisions = decisions;
    this.clock = clock;
    this.turns = turns;
  }

  public void handle(TransactionMessage request, Incoming call) {
    switch (request) {
      case TakeTurn take -> takeTurn(take, call);
      case KeepTurn keep ->
          answer(call, new TurnKept(turns.keep(keep.table(), keep.transaction())));
      case Decide decide -> answer(call, decide(decide));
      case AskOutcome ask -> answer(call, outcome(ask));
      default ->
          throw UniserveException.invalid(
              "a coordinator is not asked for " + request.getClass().getSimpleName());
    }
  }

  private void takeTurn(TakeTurn take, Incoming call) {
    TableState table = requireTable(take.table());
    if (!table.definition().consistency().transactional()) {
      throw UniserveException.invalid(
          "table '" + table.definition().name() + "' has no transactions");
    }
    if (take.transaction().length() > TransactionMessage.TRANSACTION_LENGTH_MAX) {
      throw UniserveException.invalid(
          "a transaction's identity of " + take.transaction().length() + " characters");
    }
    List<ActorId> actors =
        take.actors().stream().distinct().map(number -> living(table, number)).toList();
    if (actors.isEmpty()) {
      throw UniserveException.invalid("a transaction of no actor");
    }
    turns.await(take, actors, call);
  }

  /** Returns an actor that has not ended. A turn of one that has is of no use. */
  private static ActorId living(TableState table, int number) {
    if (actor(table, number).ended()) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE,
          "actor "
              + number
              + " of table '"
              + table.definition().name()
              + "' was merged with another");
    }
    return table.actorId(number);
  }

  private Decided decide(Decide decide) {
    TableState table = requireTable(decide.table());
    Optional<Commitment> already = committed(table, decide);
    if (already.isPresent()) {
      return new Decided(already.get());
    }
    List<Integer> actors = decide.votes().stream().map(Vote::actor).toList();
    if (!turns.isOf(table.id(), decide.transaction(), actors)) {
      throw new UniserveException(
          ErrorCode.ABORTED, "it is not the turn of transaction " + decide.transaction());
    }
    decide.votes().forEach(vote -> requireCurrent(table, vote));
    decisions.record(
        List.of(
            new TransactionCommitted(
                table.id(), decide.transaction(), time(table, decide.votes()), actors)));
    turns.end(table.id(), decide.transaction());
    return new Decided(requireTable(table.id()).committed());
  }

  /**
   * Returns the time of a decision. It is after the last split or merge, so that at any moment of a
   * restore the decision belongs to the actors of that moment. It is not before the last update of
   * any participant, so that all of them write the same time into their logs.
   */
  private long time(TableState table, List<Vote> votes) {
    List<PartitionChange> history = table.definition().partitioner().history();
    long changedMillis = history.isEmpty() ? 0 : history.getLast().timeMillis();
    long votedMillis = votes.stream().mapToLong(Vote::timeMillis).max().orElse(0);
    return LongStream.of(
            clock.now().toEpochMilli(), table.committed().timeMillis(), changedMillis, votedMillis)
        .max()
        .getAsLong();
  }

  /**
   * Returns the decision on a transaction that asks again because it has not received the answer.
   */
  private static Optional<Commitment> committed(TableState table, Decide decide) {
    return decide.votes().stream()
        .map(vote -> actor(table, vote.actor()).committed())
        .filter(last -> last.transaction().equals(decide.transaction()))
        .findFirst();
  }

  /**
   * Requires that a vote is of the present primary, which may have lost what a former one prepared.
   */
  private static void requireCurrent(TableState table, Vote vote) {
    long epoch = actor(table, vote.actor()).epoch();
    if (vote.epoch() != epoch) {
      throw new UniserveException(
          ErrorCode.ABORTED,
          "actor "
              + vote.actor()
              + " of table '"
              + table.definition().name()
              + "' voted in epoch "
              + vote.epoch()
              + ", and this is "
              + epoch);
    }
  }

  private static ActorState actor(TableState table, int number) {
    if (number < 0 || number >= table.actors().size()) {
      throw UniserveException.invalid(
          "table '" + table.definition().name() + "' has no actor " + number);
    }
    return table.actors().get(number);
  }

  private Outcome outcome(AskOutcome ask) {
    ActorId id = ask.actor();
    Commitment last = actor(requireTable(id.table()), id.number()).committed();
    if (last.transaction().equals(ask.transaction())) {
      return new Outcome(Outcome.Fate.COMMITTED, last);
    }
    if (turns.awaitedBy(id.table(), ask.transaction())) {
      return new Outcome(Outcome.Fate.UNDECIDED, Commitment.NONE);
    }
    // The abort is in the log, so that a coordinator that was replaced without knowing it cannot
    // say this.
    decisions.record(List.of(new TransactionAborted(id, ask.transaction())));
    return new Outcome(Outcome.Fate.ABORTED, Commitment.NONE);
  }

  private TableState requireTable(long id) {
    TableState table = decisions.state().tables().get(id);
    if (table == null) {
      throw decisions.state().gone(id);
    }
    return table;
  }

  private static void answer(Incoming call, Message message) {
    call.reply(message);
    call.complete();
  }
}
