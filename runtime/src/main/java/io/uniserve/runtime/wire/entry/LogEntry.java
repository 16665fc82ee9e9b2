package io.uniserve.runtime.wire.entry;

import io.uniserve.api.codec.Since;
import io.uniserve.api.form.Name;
import io.uniserve.api.partition.Partitioner;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One entry of an actor's log: an action of its primary, which every copy repeats. */
public sealed interface LogEntry {
  /** An entry that has an update function applied or prepared. */
  sealed interface Change extends LogEntry {
    UpdateKey key();

    Payload function();

    Payload records();

    /**
     * Returns what the function answered; empty if it cannot answer, or if the entry was written
     * before functions could.
     */
    Optional<LoggedAnswer> answer();

    /** Returns the same entry with an answer. */
    Change answered(Optional<LoggedAnswer> given);
  }

  /** Returns the entry's position. */
  Position position();

  /**
   * Returns the entry's time, in milliseconds since 1970, which is never before that of an earlier
   * entry of the same actor. The time of an update that its primary takes alone is by the clock of
   * that primary. That of a commit or of an ordered update is by the coordinator's clock, so that
   * all its actors have the same time, unless one of them is ahead. Neither prepare nor abort
   * changes the time.
   */
  long timeMillis();

  /**
   * Returns the same entry for a table that is restored from this one: at another position, and
   * before the first version.
   */
  default LogEntry inNewTable(Position other) {
    return switch (this) {
      case Update update ->
          new Update(
              other, timeMillis(), update.key, update.function, update.records, update.answer);
      case Prepare prepare ->
          new Prepare(
              other,
              timeMillis(),
              prepare.transaction,
              prepare.key,
              prepare.function,
              prepare.records,
              prepare.answer,
              prepare.others);
      case Commit commit -> new Commit(other, timeMillis(), commit.transaction, 0);
      case Abort abort -> new Abort(other, timeMillis(), abort.transaction);
      case Retain retain -> new Retain(other, timeMillis(), retain.partitioner, retain.generation);
      case Ordered ordered ->
          new Ordered(
              other,
              timeMillis(),
              ordered.place.inNewTable(),
              ordered.key,
              ordered.function,
              ordered.records,
              ordered.answer);
      case Passed passed ->
          new Passed(other, timeMillis(), passed.place.inNewTable(), passed.key, passed.refusal);
      case Marked marked ->
          new Marked(other, timeMillis(), Mark.NONE, marked.place.map(OrderPlace::inNewTable));
      case Declined declined -> new Declined(other, timeMillis(), declined.key, declined.refusal);
    };
  }

  /**
   * An applied update that its primary took alone: an eventual one, a serializable one of one
   * actor, or one that took the short way past the order of its table.
   *
   * @param position its place
   * @param timeMillis its time
   * @param key the update's idempotency key
   * @param function the update function
   * @param records the list of records
   * @param answer the answer of the function
   */
  @Name("Update")
  record Update(
      Position position,
      long timeMillis,
      UpdateKey key,
      Payload function,
      Payload records,
      @Since(2) Optional<LoggedAnswer> answer)
      implements Change {
    @Override
    public Update answered(Optional<LoggedAnswer> given) {
      return new Update(position, timeMillis, key, function, records, given);
    }
  }

  /**
   * A prepared update, which is not decided yet. It is followed by the {@link Commit} or {@link
   * Abort} of its transaction, and by nothing else.
   *
   * @param position its place
   * @param timeMillis its time
   * @param transaction the transaction's identity
   * @param key the update's idempotency key
   * @param function the update function
   * @param records the list of records
   * @param answer the answer of the function
   * @param others the updates that were prepared after it, in their order, if the transaction is a
   *     group of several
   */
  @Name("Prepare")
  record Prepare(
      Position position,
      long timeMillis,
      String transaction,
      UpdateKey key,
      Payload function,
      Payload records,
      @Since(2) Optional<LoggedAnswer> answer,
      @Since(2) List<Member> others)
      implements Change {
    /** Copies the list. */
    public Prepare {
      others = List.copyOf(others);
    }

    /** Returns an entry with updates, at least one. */
    public static Prepare of(
        Position position, long timeMillis, String transaction, List<Member> members) {
      Member first = members.getFirst();
      return new Prepare(
          position,
          timeMillis,
          transaction,
          first.key,
          first.function,
          first.records,
          first.answer,
          members.subList(1, members.size()));
    }

    /** Returns all updates in their order. */
    public List<Member> members() {
      List<Member> members = new ArrayList<>(List.of(new Member(key, function, records, answer)));
      members.addAll(others);
      return members;
    }

    @Override
    public Prepare answered(Optional<LoggedAnswer> given) {
      return new Prepare(position, timeMillis, transaction, key, function, records, given, others);
    }

    /** Returns the same entry with the answers of all updates. */
    public Prepare answered(List<Optional<LoggedAnswer>> given) {
      List<Member> members = new ArrayList<>();
      for (Member member : members()) {
        members.add(member.answered(given.get(members.size())));
      }
      return of(position, timeMillis, transaction, members);
    }
  }

  /**
   * One update of a group.
   *
   * @param key the update's idempotency key
   * @param function the update function
   * @param records the list of records
   * @param answer the answer of the function
   */
  record Member(UpdateKey key, Payload function, Payload records, Optional<LoggedAnswer> answer) {
    Member answered(Optional<LoggedAnswer> given) {
      return new Member(key, function, records, given);
    }
  }

  /**
   * The commit of the prepared update, which becomes visible.
   *
   * @param position its place
   * @param timeMillis its time
   * @param transaction the transaction's identity
   * @param version the version of the table, which the decision gave
   */
  @Name("Commit")
  record Commit(Position position, long timeMillis, String transaction, long version)
      implements LogEntry {}

  /**
   * The abort of the prepared update, which is forgotten.
   *
   * @param position its place
   * @param timeMillis its time
   * @param transaction the transaction's identity
   */
  @Name("Abort")
  record Abort(Position position, long timeMillis, String transaction) implements LogEntry {}

  /**
   * A split of the actor, which drops the keys that are other actors' now.
   *
   * @param position its place
   * @param timeMillis its time
   * @param partitioner maps each key to its actor
   * @param generation the generation of the actor's keys from now on
   */
  @Name("Retain")
  record Retain(Position position, long timeMillis, Partitioner partitioner, int generation)
      implements LogEntry {}

  /**
   * An applied ordered update.
   *
   * @param position its place in this log
   * @param timeMillis its time
   * @param place the place in the order of the table
   * @param key the update's idempotency key
   * @param function the update function
   * @param records the list of records
   * @param answer the answer of the function
   */
  @Name("Ordered")
  record Ordered(
      Position position,
      long timeMillis,
      OrderPlace place,
      UpdateKey key,
      Payload function,
      Payload records,
      @Since(2) Optional<LoggedAnswer> answer)
      implements Change {
    @Override
    public Ordered answered(Optional<LoggedAnswer> given) {
      return new Ordered(position, timeMillis, place, key, function, records, given);
    }
  }

  /**
   * An ordered update that changed nothing: the engine refused it, or the actor had received it
   * before, at another place.
   *
   * @param position its place in this log
   * @param timeMillis its time
   * @param place the place in the order of the table
   * @param key the update's idempotency key
   * @param refusal the reason, if it was refused
   */
  @Name("Passed")
  record Passed(
      Position position,
      long timeMillis,
      OrderPlace place,
      UpdateKey key,
      Optional<Refusal> refusal)
      implements LogEntry {}

  /**
   * The mark of reads that see all actors as of one place in the order of the table (RB §6.7).
   * Every copy cuts here.
   *
   * @param position its place in this log
   * @param timeMillis its time
   * @param mark the mark
   * @param place the place of a read that is in the order of the table itself
   */
  @Name("Marked")
  record Marked(Position position, long timeMillis, Mark mark, Optional<OrderPlace> place)
      implements LogEntry {}

  /**
   * An update that took the short way past the order of its table, and that was refused. It changed
   * nothing, and is remembered, since later ones of its session may have been applied.
   *
   * @param position its place in this log
   * @param timeMillis its time
   * @param key the update's idempotency key
   * @param refusal the reason
   */
  @Name("Declined")
  record Declined(Position position, long timeMillis, UpdateKey key, Refusal refusal)
      implements LogEntry {}
}
