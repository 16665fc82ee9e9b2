package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.codec.Name;
import io.uniserve.kernel.Message;
import java.util.List;
import java.util.Optional;

/**
 * What ordered updates need (RB §5, §6.3). A client submits one to the coordinator, which gives it
 * a place in its table's order and delivers it to the primaries of exactly the actors that have its
 * keys, until each has answered.
 */
public sealed interface OrderedMessage extends Message {

  /** The most bytes of one update: all of it goes through the control log. */
  int BYTES_MAX = 8 << 20;

  /**
   * Asks the coordinator to order an update, and waits until it has come to all its actors.
   * Answered by {@link Happened}, each time alike while the update is under way; later, by what its
   * actors remember of its key. Refused with {@link ErrorCode#STALE_ROUTING} if the records were
   * grouped before an actor was split or merged, and with {@link ErrorCode#UNAVAILABLE} while one
   * is being: then nothing is done.
   *
   * @param table the table's identity
   * @param key the idempotency key
   * @param function the update function
   * @param portions one for each actor that it goes to, at least one, by actor
   */
  @Name("SubmitUpdate")
  record SubmitUpdate(long table, UpdateKey key, Payload function, List<Portion> portions)
      implements OrderedMessage {}

  /**
   * What one actor gets of an update.
   *
   * @param actor its number
   * @param generation of the actor's keys with which the records were grouped
   * @param records a list of records, possibly empty
   */
  record Portion(int actor, int generation, Payload records) {}

  /**
   * An update has come to all its actors, and to all their readable copies.
   *
   * @param number its place in the table's order
   * @param outcomes what came of it, by actor
   */
  @Name("Happened")
  record Happened(long number, List<Outcome> outcomes) implements OrderedMessage {}

  /**
   * What came of an update on one actor.
   *
   * @param actor its number
   * @param position of the update in the actor's log
   * @param refusal why nothing has changed there, if the engine refused it
   */
  record Outcome(int actor, Position position, Optional<Refusal> refusal) {}

  /**
   * An engine refused an update. It does so on all copies of an actor or on none.
   *
   * @param code the engine's
   * @param message the engine's
   */
  record Refusal(ErrorCode code, String message) {}

  /**
   * Tells the primary of an actor the next updates of its table that go to it. Answered by {@link
   * Delivered}.
   *
   * @param actor the actor
   * @param generation of the actor's keys with which the updates were grouped, all alike
   * @param updates in order, without a gap but for those that are settled
   */
  @Name("Deliver")
  record Deliver(ActorId actor, int generation, List<Delivery> updates) implements OrderedMessage {}

  /**
   * One update as one actor gets it.
   *
   * @param place in the table's order
   * @param after the number of the newest update before it that goes to the actor and is not
   *     settled; 0 if there is none. What is settled, and the actor lacks, it has had and lost
   * @param timeMillis when it was ordered, in milliseconds since 1970, by the coordinator's clock;
   *     not before the time of an earlier one of the table
   * @param key the idempotency key
   * @param function the update function
   * @param records the actor's records
   */
  record Delivery(
      OrderPlace place,
      long after,
      long timeMillis,
      UpdateKey key,
      Payload function,
      Payload records) {}

  /**
   * What has come of updates on an actor and all its readable copies.
   *
   * @param results of the first of the updates that were delivered, in their order; the others are
   *     to be delivered again
   * @param behind the last number that the actor has got, if that is not the one that the next
   *     update follows
   */
  @Name("Delivered")
  record Delivered(List<Result> results, Optional<Long> behind) implements OrderedMessage {}

  /**
   * What came of one update.
   *
   * @param number its place in the table's order
   * @param position of the update in the actor's log
   * @param refusal why nothing has changed, if the engine refused it
   */
  record Result(long number, Position position, Optional<Refusal> refusal) {}
}
