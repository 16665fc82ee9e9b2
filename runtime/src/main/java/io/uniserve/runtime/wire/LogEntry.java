package io.uniserve.runtime.wire;

import io.uniserve.api.Partitioner;
import io.uniserve.api.codec.Name;
import io.uniserve.runtime.wire.OrderedMessage.Refusal;
import java.util.Optional;

/** One entry of an actor's log: what its primary did, and every copy does after it. */
public sealed interface LogEntry {
  /** Its place. */
  Position position();

  /**
   * When it came to be, in milliseconds since 1970; never before the time of an earlier entry of
   * the same actor. Of an eventual update, by the clock of its primary; of a commit, by the
   * coordinator's, so that all actors of the transaction say the same; so of an ordered update.
   * Neither prepare nor abort changes the time.
   */
  long timeMillis();

  /**
   * The same in a table that is made of what this one was: in another place, and before the first
   * version.
   */
  default LogEntry inNewTable(Position other) {
    return switch (this) {
      case Update update ->
          new Update(other, timeMillis(), update.key, update.function, update.records);
      case Prepare prepare ->
          new Prepare(
              other,
              timeMillis(),
              prepare.transaction,
              prepare.key,
              prepare.function,
              prepare.records);
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
              ordered.records);
      case Passed passed ->
          new Passed(other, timeMillis(), passed.place.inNewTable(), passed.key, passed.refusal);
    };
  }

  /**
   * An eventual update was applied.
   *
   * @param position its place
   * @param timeMillis its time
   * @param key the update's idempotency key
   * @param function the update function
   * @param records the list of records
   */
  @Name("Update")
  record Update(
      Position position, long timeMillis, UpdateKey key, Payload function, Payload records)
      implements LogEntry {}

  /**
   * An update was prepared; whether it happens is not decided. Followed by the {@link Commit} or
   * {@link Abort} of its transaction, and by nothing else.
   *
   * @param position its place
   * @param timeMillis its time
   * @param transaction the transaction's identity
   * @param key the update's idempotency key
   * @param function the update function
   * @param records the list of records
   */
  @Name("Prepare")
  record Prepare(
      Position position,
      long timeMillis,
      String transaction,
      UpdateKey key,
      Payload function,
      Payload records)
      implements LogEntry {}

  /**
   * What was prepared has become visible.
   *
   * @param position its place
   * @param timeMillis its time
   * @param transaction the transaction's identity
   * @param version of the table, which the decision gave
   */
  @Name("Commit")
  record Commit(Position position, long timeMillis, String transaction, long version)
      implements LogEntry {}

  /**
   * What was prepared is forgotten.
   *
   * @param position its place
   * @param timeMillis its time
   * @param transaction the transaction's identity
   */
  @Name("Abort")
  record Abort(Position position, long timeMillis, String transaction) implements LogEntry {}

  /**
   * The actor was split: it has forgotten the keys that are other actors' now.
   *
   * @param position its place
   * @param timeMillis its time
   * @param partitioner says whose every key is
   * @param generation of the actor's keys from now on
   */
  @Name("Retain")
  record Retain(Position position, long timeMillis, Partitioner partitioner, int generation)
      implements LogEntry {}

  /**
   * An ordered update was applied.
   *
   * @param position its place in this log
   * @param timeMillis its time
   * @param place in the order of the table
   * @param key the update's idempotency key
   * @param function the update function
   * @param records the list of records
   */
  @Name("Ordered")
  record Ordered(
      Position position,
      long timeMillis,
      OrderPlace place,
      UpdateKey key,
      Payload function,
      Payload records)
      implements LogEntry {}

  /**
   * An ordered update has come and changed nothing: the engine refused it, or the actor had got it
   * before, at another place.
   *
   * @param position its place in this log
   * @param timeMillis its time
   * @param place in the order of the table
   * @param key the update's idempotency key
   * @param refusal why it was refused, if it was
   */
  @Name("Passed")
  record Passed(
      Position position,
      long timeMillis,
      OrderPlace place,
      UpdateKey key,
      Optional<Refusal> refusal)
      implements LogEntry {}
}
