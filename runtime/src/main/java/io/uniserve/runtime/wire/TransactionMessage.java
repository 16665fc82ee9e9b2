package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.codec.Name;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.cluster.Commitment;
import java.util.List;
import java.util.Optional;

/**
 * What serializable updates need (DPA §4.2, §4.3). A client takes its table's turn, has every
 * touched actor prepare, asks for the decision, and tells it to the actors.
 */
public sealed interface TransactionMessage extends Message {

  /** The most characters of a transaction's identity. */
  int TRANSACTION_LENGTH_MAX = 64;

  /**
   * Asks the coordinator for the turn of a table. Answered by {@link TurnTaken} when it has come;
   * the call goes on until the turn ends, by the decision or because the client cancels, dies, or
   * lets its deadline pass.
   *
   * @param table the table's identity
   * @param transaction whose turn it is to be
   */
  @Name("TakeTurn")
  record TakeTurn(long table, String transaction) implements TransactionMessage {}

  /** It is the transaction's turn. */
  @Name("TurnTaken")
  record TurnTaken() implements TransactionMessage {}

  /**
   * Tells the coordinator that whoever waits for a turn, or has it, still lives. Answered by {@link
   * TurnKept}. Connections that nothing passes through notice late that an end of theirs is gone.
   *
   * @param table the table's identity
   * @param transaction whose turn it is, or is to be
   */
  @Name("KeepTurn")
  record KeepTurn(long table, String transaction) implements TransactionMessage {}

  /**
   * What the coordinator knows of a turn.
   *
   * @param known false if the transaction neither has it nor waits for it there
   */
  @Name("TurnKept")
  record TurnKept(boolean known) implements TransactionMessage {}

  /**
   * Asks the primary of an actor to prepare an update. Answered by {@link Prepared} once all its
   * readable copies have it on disk, which is a vote for commit.
   *
   * @param actor the actor
   * @param generation of its keys that the update was planned with; refused as {@link
   *     io.uniserve.api.ErrorCode#STALE_ROUTING} if it has others
   * @param transaction the transaction's identity
   * @param key the update's idempotency key
   * @param function the update function
   * @param records a list of records, possibly empty
   */
  @Name("PrepareUpdate")
  record PrepareUpdate(
      ActorId actor,
      int generation,
      String transaction,
      UpdateKey key,
      Payload function,
      Payload records)
      implements TransactionMessage {}

  /**
   * The actor has prepared, or need not.
   *
   * @param epoch of the primary that answers
   * @param applied where the update was applied, with which version the actor is at least, if an
   *     earlier transaction with the same key was committed
   */
  @Name("Prepared")
  record Prepared(long epoch, Optional<Applied> applied) implements TransactionMessage {}

  /**
   * An update has happened on an actor and all its readable copies.
   *
   * @param position its place in the actor's log
   * @param version of the table since then, at the latest
   */
  record Applied(Position position, long version) {}

  /**
   * Asks the coordinator to decide for commit. Answered by {@link Decided}; refused if it is not
   * the transaction's turn any more, and then it is never committed.
   *
   * @param table the table's identity
   * @param transaction the transaction's identity
   * @param votes of all participants
   */
  @Name("Decide")
  record Decide(long table, String transaction, List<Vote> votes) implements TransactionMessage {}

  /**
   * A participant's vote for commit.
   *
   * @param actor its number
   * @param epoch of the primary that gave it
   */
  record Vote(int actor, long epoch) {}

  /**
   * The transaction is committed: the control log says so.
   *
   * @param commitment what it says
   */
  @Name("Decided")
  record Decided(Commitment commitment) implements TransactionMessage {}

  /**
   * Tells the primary of an actor that its transaction was committed. Answered by {@link Concluded}
   * once all its readable copies show the update.
   *
   * @param actor the actor
   * @param key the update's idempotency key
   * @param decided what the control log says
   */
  @Name("CommitUpdate")
  record CommitUpdate(ActorId actor, UpdateKey key, Commitment decided)
      implements TransactionMessage {}

  /**
   * Tells the primary of an actor that its transaction will never be committed. Answered by {@link
   * Concluded}.
   *
   * @param actor the actor
   * @param transaction the transaction's identity
   */
  @Name("AbortUpdate")
  record AbortUpdate(ActorId actor, String transaction) implements TransactionMessage {}

  /**
   * The actor has done as it was told.
   *
   * @param position of the actor since then, at the latest
   */
  @Name("Concluded")
  record Concluded(Position position) implements TransactionMessage {}

  /**
   * A participant asks the coordinator what has become of a transaction. Answered by {@link
   * Outcome}. If nothing is decided and it is not the transaction's turn, this decides for abort.
   *
   * @param actor the participant
   * @param transaction the transaction's identity
   */
  @Name("AskOutcome")
  record AskOutcome(ActorId actor, String transaction) implements TransactionMessage {}

  /**
   * What has become of a transaction.
   *
   * @param fate which
   * @param decided what the control log says, if it was committed
   */
  @Name("Outcome")
  record Outcome(Fate fate, Commitment decided) implements TransactionMessage {
    /** What becomes of a transaction. */
    public enum Fate {
      /** It happens. */
      @Name("COMMITTED")
      COMMITTED,
      /** It never happens. */
      @Name("ABORTED")
      ABORTED,
      /** It is under way. */
      @Name("UNDECIDED")
      UNDECIDED
    }
  }
}
