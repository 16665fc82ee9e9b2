package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.codec.Since;
import io.uniserve.api.form.Name;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.cluster.Commitment;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The messages of serializable updates (DPA §4.2, §4.3). A client takes the turn of the touched
 * actors, has each of them prepare, asks for the decision, and tells it to the actors.
 */
public sealed interface TransactionMessage extends Message {

  /** The greatest length of a transaction's identity, in characters. */
  int TRANSACTION_LENGTH_MAX = 64;

  /** The greatest number of updates that are one transaction. */
  int MEMBERS_MAX = 64;

  /**
   * A request to the coordinator for the turn of some actors. Answered by {@link TurnTaken} when it
   * has come. The call goes on until the turn ends, by the decision or because the client cancels,
   * dies, or lets its deadline pass.
   *
   * @param table the table's identity
   * @param transaction that wants the turn
   * @param actors the actors that it touches, by number, at least one
   */
  @Name("TakeTurn")
  record TakeTurn(long table, String transaction, List<Integer> actors)
      implements TransactionMessage {
    /** Copies the list. */
    public TakeTurn {
      actors = List.copyOf(actors);
    }
  }

  /** The answer that the transaction's turn has come. */
  @Name("TurnTaken")
  record TurnTaken() implements TransactionMessage {}

  /**
   * A client's sign of life to the coordinator, while it waits for a turn or has it. Answered by
   * {@link TurnKept}. It is needed since an idle connection notices late that its other end is
   * gone.
   *
   * @param table the table's identity
   * @param transaction that has or wants the turn
   */
  @Name("KeepTurn")
  record KeepTurn(long table, String transaction) implements TransactionMessage {}

  /**
   * The answer to a sign of life.
   *
   * @param known false if the transaction neither has the turn nor waits for it there
   */
  @Name("TurnKept")
  record TurnKept(boolean known) implements TransactionMessage {}

  /**
   * A request to the primary of an actor to prepare an update. Answered by {@link Prepared} once
   * all its readable copies have it on disk, which is a vote for commit.
   *
   * @param actor the actor
   * @param generation the generation of its keys with which the update was planned; refused with
   *     {@link io.uniserve.api.error.ErrorCode#STALE_ROUTING} if it has others
   * @param transaction the transaction's identity
   * @param key the update's idempotency key
   * @param function the update function
   * @param records a list of records, possibly empty
   * @param others the updates that are prepared after it, in their order, if the transaction is a
   *     group of several
   */
  @Name("PrepareUpdate")
  record PrepareUpdate(
      ActorId actor,
      int generation,
      String transaction,
      UpdateKey key,
      Payload function,
      Payload records,
      @Since(2) List<Member> others)
      implements TransactionMessage {
    /** Copies the list. */
    public PrepareUpdate {
      others = List.copyOf(others);
    }

    /** Returns a request to prepare updates, at least one. */
    public static PrepareUpdate of(
        ActorId actor, int generation, String transaction, List<Member> members) {
      Member first = members.getFirst();
      return new PrepareUpdate(
          actor,
          generation,
          transaction,
          first.key(),
          first.function(),
          first.records(),
          members.subList(1, members.size()));
    }

    /** Returns all updates in their order. */
    public List<Member> members() {
      List<Member> members = new ArrayList<>(List.of(new Member(key, function, records)));
      members.addAll(others);
      return members;
    }
  }

  /**
   * One update of a group.
   *
   * @param key the update's idempotency key
   * @param function the update function
   * @param records a list of records, possibly empty
   */
  record Member(UpdateKey key, Payload function, Payload records) {}

  /**
   * The vote of an actor that has prepared, or need not.
   *
   * @param epoch the epoch of the primary that answers
   * @param timeMillis the time of the actor's last update, in milliseconds since 1970
   * @param applied the update's position and a version that the actor has at least, if an earlier
   *     transaction with the same key was committed
   * @param others the same of the other members of a group that were applied before
   * @param refused the number of the member of a group that is refused, counted from 0; then
   *     nothing is prepared. The reason is not told, since it may lie in the members before it,
   *     which nobody may have seen
   */
  @Name("Prepared")
  record Prepared(
      long epoch,
      long timeMillis,
      Optional<Applied> applied,
      @Since(2) List<KnownMember> others,
      @Since(2) Optional<Integer> refused)
      implements TransactionMessage {
    /** Copies the list. */
    public Prepared {
      others = List.copyOf(others);
    }

    /** Returns what was applied before, by the number of the member. */
    public SortedMap<Integer, Applied> known() {
      SortedMap<Integer, Applied> known = new TreeMap<>();
      applied.ifPresent(first -> known.put(0, first));
      others.forEach(other -> known.put(other.number(), other.applied()));
      return known;
    }
  }

  /**
   * A member of a group that an earlier transaction has applied.
   *
   * @param number its number, counted from 0
   * @param applied the place and the answers that it has
   */
  record KnownMember(int number, Applied applied) {}

  /**
   * The application of an update on an actor and all its readable copies.
   *
   * @param position its place in the actor's log
   * @param version the version of the table since then, at the latest
   * @param answers the answers of its function, see {@link UpdateMessage.Updated}
   */
  record Applied(Position position, long version, @Since(2) List<GivenAnswer> answers) {}

  /**
   * A request to the coordinator to decide for commit. Answered by {@link Decided}. It is refused
   * if it is not the transaction's turn any more, and then it is never committed.
   *
   * @param table the table's identity
   * @param transaction the transaction's identity
   * @param votes the votes of all participants
   */
  @Name("Decide")
  record Decide(long table, String transaction, List<Vote> votes) implements TransactionMessage {}

  /**
   * A participant's vote for commit.
   *
   * @param actor its number
   * @param epoch the epoch of the primary that gave it
   * @param timeMillis the time of the actor's last update, in milliseconds since 1970
   */
  record Vote(int actor, long epoch, long timeMillis) {}

  /**
   * The answer that the transaction is committed in the control log.
   *
   * @param commitment the decision
   */
  @Name("Decided")
  record Decided(Commitment commitment) implements TransactionMessage {}

  /**
   * The notice to the primary of an actor that its transaction was committed. Answered by {@link
   * Concluded} once all its readable copies show the update.
   *
   * @param actor the actor
   * @param key the update's idempotency key
   * @param decided the decision in the control log
   * @param others the keys of the other members of a group that the actor has prepared
   */
  @Name("CommitUpdate")
  record CommitUpdate(
      ActorId actor, UpdateKey key, Commitment decided, @Since(2) List<UpdateKey> others)
      implements TransactionMessage {
    /** Copies the list. */
    public CommitUpdate {
      others = List.copyOf(others);
    }
  }

  /**
   * The notice to the primary of an actor that its transaction will never be committed. Answered by
   * {@link Concluded}.
   *
   * @param actor the actor
   * @param transaction the transaction's identity
   */
  @Name("AbortUpdate")
  record AbortUpdate(ActorId actor, String transaction) implements TransactionMessage {}

  /**
   * The answer that the actor has committed or aborted.
   *
   * @param position the position of the actor since then, at the latest
   * @param answers the answers of the update's function, if it is committed; see {@link
   *     UpdateMessage.Updated}
   * @param others the same of the other members of a group, in the order of the request
   */
  @Name("Concluded")
  record Concluded(
      Position position,
      @Since(2) List<GivenAnswer> answers,
      @Since(2) List<CommittedMember> others)
      implements TransactionMessage {
    /** Copies the lists. */
    public Concluded {
      answers = List.copyOf(answers);
      others = List.copyOf(others);
    }
  }

  /**
   * A member of a group that the actor has committed.
   *
   * @param position the position of the actor since then, at the latest
   * @param answers the answers of its function
   */
  record CommittedMember(Position position, List<GivenAnswer> answers) {}

  /**
   * A follower's request to its primary, since a read has seen updates that may not be firm yet.
   * Answered by {@link Firm} once every readable copy has all of them on disk.
   *
   * @param actor the actor
   * @param epoch the epoch that the follower follows
   * @param position the position of the follower
   */
  @Name("AskFirm")
  record AskFirm(ActorId actor, long epoch, Position position) implements TransactionMessage {}

  /** The answer that every readable copy has everything up to the position on disk. */
  @Name("Firm")
  record Firm() implements TransactionMessage {}

  /**
   * A participant's request to the coordinator for the outcome of a transaction. Answered by {@link
   * Outcome}. If nothing is decided and it is not the transaction's turn, the request decides for
   * abort.
   *
   * @param actor the participant
   * @param transaction the transaction's identity
   */
  @Name("AskOutcome")
  record AskOutcome(ActorId actor, String transaction) implements TransactionMessage {}

  /**
   * The outcome of a transaction.
   *
   * @param fate its kind
   * @param decided the decision in the control log, if it was committed
   */
  @Name("Outcome")
  record Outcome(Fate fate, Commitment decided) implements TransactionMessage {
    /** The kinds of outcomes. */
    public enum Fate {
      /** It was committed. */
      @Name("COMMITTED")
      COMMITTED,
      /** It will never be committed. */
      @Name("ABORTED")
      ABORTED,
      /** It is not decided yet. */
      @Name("UNDECIDED")
      UNDECIDED
    }
  }
}
