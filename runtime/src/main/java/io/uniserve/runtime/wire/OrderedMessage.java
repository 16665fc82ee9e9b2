package io.uniserve.runtime.wire;

import io.uniserve.api.ActorId;
import io.uniserve.api.codec.Since;
import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.form.Name;
import io.uniserve.kernel.Message;
import io.uniserve.runtime.wire.entry.Engines;
import io.uniserve.runtime.wire.entry.GivenAnswer;
import io.uniserve.runtime.wire.entry.Hash;
import io.uniserve.runtime.wire.entry.OrderPlace;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.Position;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import io.uniserve.runtime.wire.entry.Refusal;
import io.uniserve.runtime.wire.entry.UpdateKey;
import java.util.List;
import java.util.Optional;

/**
 * The messages of ordered updates (RB §5, §6.3). A client submits an update to the coordinator. The
 * coordinator gives it a place in its table's order, and delivers it to the primaries of exactly
 * the actors that have its keys, until each has answered.
 */
public sealed interface OrderedMessage extends Message {

  /** The largest size of an update in bytes, since all of it goes through the control log. */
  int BYTES_MAX = 8 << 20;

  /**
   * A request to the coordinator to order an update, answered once it has arrived at all its
   * actors. Answered by {@link Happened}, each time alike while the update is under way; later, by
   * what its actors remember of its key. Refused with {@link ErrorCode#STALE_ROUTING} if the
   * records were grouped before an actor was split or merged, and with {@link
   * ErrorCode#UNAVAILABLE} while one is being split or merged; nothing is done then.
   *
   * @param table the table's identity
   * @param key the idempotency key
   * @param function the update function; without a byte if it is a read, see {@link Delivery}
   * @param portions one for each of its actors, at least one, by actor
   */
  @Name("SubmitUpdate")
  record SubmitUpdate(long table, UpdateKey key, Payload function, List<Portion> portions)
      implements OrderedMessage {}

  /**
   * The records of an update for one actor.
   *
   * @param actor its number
   * @param generation the generation of the actor's keys with which the records were grouped
   * @param records a list of records, possibly empty
   */
  record Portion(int actor, int generation, Payload records) {}

  /**
   * The answer that an update has arrived at all its actors, and at all their readable copies.
   *
   * @param number its place in the table's order
   * @param outcomes the result on each actor
   */
  @Name("Happened")
  record Happened(long number, List<Outcome> outcomes) implements OrderedMessage {}

  /**
   * The result of an update on one actor.
   *
   * @param actor its number
   * @param position the position of the update in the actor's log
   * @param refusal the reason why nothing has changed there, if the engine refused it
   * @param answers the answers of its function, see {@link UpdateMessage.Updated}
   */
  record Outcome(
      int actor,
      Position position,
      Optional<Refusal> refusal,
      @Since(2) List<GivenAnswer> answers) {}

  /**
   * A request to the coordinator to order the next updates of a session. Answered by {@link Stable}
   * once they have places. An update that has one already does not get another, whatever the
   * request says of it. Refused with {@link ErrorCode#NOT_FOUND} if the table is gone, or the
   * session is not known any more.
   *
   * @param table the table's identity
   * @param session the session's name, 128 random bits
   * @param bornMillis the time at which the session began, in milliseconds since 1970, by its
   *     client's clock
   * @param first the sequence number of the first of the updates, counted from 1 in the session
   * @param updates the updates, in the order of their sequence, at least one
   */
  @Name("SubmitSession")
  record SubmitSession(
      long table, Hash session, long bornMillis, long first, List<SessionUpdate> updates)
      implements OrderedMessage {}

  /**
   * One update of a session.
   *
   * @param function the update function; without a byte if it is a read, see {@link Delivery}
   * @param portions one for each of its actors, at least one, by actor
   */
  record SessionUpdate(Payload function, List<Portion> portions) {}

  /**
   * The answer that updates of a session have places in the order of their table. Nothing can take
   * them back.
   *
   * @param numbers the places of the first of the request's updates; 0 for one that is settled
   * @param withheld the reason why the next update of the request has no place; nothing of it was
   *     done, nor of those after it
   */
  @Name("Stable")
  record Stable(List<Long> numbers, Optional<Refusal> withheld) implements OrderedMessage {}

  /**
   * A request to the coordinator to tell the outcomes of updates of a session. Answered by {@link
   * Applied} once there is one, or after a moment without any.
   *
   * @param table the table's identity
   * @param session the session's name
   * @param awaited the sequence numbers of updates that have places
   */
  @Name("AwaitSession")
  record AwaitSession(long table, Hash session, List<SequenceRange> awaited)
      implements OrderedMessage {}

  /**
   * Consecutive sequence numbers of a session.
   *
   * @param first the first
   * @param last the last
   */
  record SequenceRange(long first, long last) {}

  /**
   * The outcomes of updates of a session.
   *
   * @param updates those that all their actors have received
   * @param settled the sequence numbers of updates that all their actors have received, and whose
   *     outcomes only these still know
   */
  @Name("Applied")
  record Applied(List<AppliedUpdate> updates, List<Long> settled) implements OrderedMessage {}

  /**
   * The outcome of one update of a session.
   *
   * @param sequence its number in the session
   * @param happened its place and the result on each actor
   */
  record AppliedUpdate(long sequence, Happened happened) {}

  /**
   * A question to the coordinator: how far the order of a table is, and what waits. Answered by
   * {@link OrderReport}.
   *
   * @param table the table's identity
   */
  @Name("AskOrder")
  record AskOrder(long table) implements OrderedMessage {}

  /**
   * A question to the coordinator: which update has gone to each actor of a table. Answered by
   * {@link PlacedUpdates}.
   *
   * @param table the table's identity
   */
  @Name("AskPlaced")
  record AskPlaced(long table) implements OrderedMessage {}

  /**
   * The end of a table's order.
   *
   * @param newest the newest number; 0 before the first
   * @param byActor the newest number that went to each actor, by actor; 0 if none did
   */
  @Name("PlacedUpdates")
  record PlacedUpdates(long newest, List<Long> byActor) implements OrderedMessage {
    /** Copies the list. */
    public PlacedUpdates {
      byActor = List.copyOf(byActor);
    }
  }

  /**
   * The state of a table's order.
   *
   * @param head the number of the newest update; 0 before the first
   * @param waiting the number of updates that are not settled: not all their actors have answered
   * @param waitingBytes their size
   * @param slowest the actors for which most updates wait, at most {@link #SLOWEST_MAX}, the
   *     slowest first
   */
  @Name("OrderReport")
  record OrderReport(long head, int waiting, long waitingBytes, List<Backlog> slowest)
      implements OrderedMessage {
    /** The number of actors that a report names. */
    public static final int SLOWEST_MAX = 5;
  }

  /**
   * The updates that wait for one actor.
   *
   * @param actor its number
   * @param updates the number of its updates that are not settled
   * @param sizeBytes their size
   */
  record Backlog(int actor, int updates, long sizeBytes) {}

  /**
   * A delivery of the next ordered updates to the primary of an actor. Answered by {@link
   * Delivered}.
   *
   * @param actor the actor
   * @param generation the generation of the actor's keys with which all the updates were grouped
   * @param updates the updates in order, without a gap except for settled ones
   * @param marks the marks of reads, in their order: each comes after the updates up to its number
   */
  @Name("Deliver")
  record Deliver(ActorId actor, int generation, List<Delivery> updates, List<MarkDelivery> marks)
      implements OrderedMessage {
    /** Creates a delivery without marks. */
    public Deliver(ActorId actor, int generation, List<Delivery> updates) {
      this(actor, generation, updates, List.of());
    }
  }

  /**
   * A mark as it is delivered to one actor. An actor that has a later update passes it over.
   *
   * @param mark the mark
   * @param after the number of the newest update before it that goes to the actor and is not
   *     settled; 0 if there is none
   */
  record MarkDelivery(Mark mark, long after) {}

  /**
   * A request to the coordinator for a mark of actors of a table, after all updates that have
   * places now. Answered by {@link Stamped}. The log does not have the mark, so it may come to
   * nothing.
   *
   * @param table the table's identity
   * @param actors the actors that are to be read
   */
  @Name("AskMark")
  record AskMark(long table, List<Integer> actors) implements OrderedMessage {}

  /**
   * The answer that a mark is on its way to its actors.
   *
   * @param mark the mark
   */
  @Name("Stamped")
  record Stamped(Mark mark) implements OrderedMessage {}

  /**
   * The next updates of a session that take the short way past the order of their table: straight
   * to the primary of the one actor that has their keys. Answered by {@link ShortTaken} once they
   * are on the disks of every readable copy. A session has one such request under way. Refused with
   * {@link ErrorCode#STALE_ROUTING} if the records were grouped before the actor was split or
   * merged; nothing is done then.
   *
   * @param actor the actor
   * @param generation the generation of the actor's keys with which the records were grouped
   * @param sight the newest item of the order that the session has heard of, which comes before the
   *     updates; empty if it has heard of one whose place it does not know
   * @param updates the updates, in the order of their submission, at least one
   */
  @Name("SubmitShort")
  record SubmitShort(ActorId actor, int generation, Optional<Mark> sight, List<ShortUpdate> updates)
      implements OrderedMessage {
    /** The number of updates that a request may have. */
    public static final int UPDATES_MAX = 1_000;
  }

  /**
   * One update that takes the short way.
   *
   * @param key the idempotency key, the same at each attempt
   * @param function the update function
   * @param records the records, all of one actor
   */
  record ShortUpdate(UpdateKey key, Payload function, Payload records) {}

  /**
   * The answer that updates have taken the short way, and are on all readable copies of their
   * actor.
   *
   * @param results the results of the first of them, in their order; the number of each is that of
   *     the update after which it stands in the order
   * @param reach the newest item of the order before the last of them, or a later one
   * @param withheld the reason why the next was not applied; nothing was done of it, nor of those
   *     after it
   */
  @Name("ShortTaken")
  record ShortTaken(List<Result> results, Mark reach, Optional<Refusal> withheld)
      implements OrderedMessage {}

  /**
   * One update as it is delivered to one actor.
   *
   * @param place the place in the table's order
   * @param after the number of the newest update before it that goes to the actor and is not
   *     settled; 0 if there is none. If the actor lacks a settled update, it has received that and
   *     lost it
   * @param timeMillis the time at which it was ordered, in milliseconds since 1970, by the
   *     coordinator's clock; not before the time of an earlier one of the table
   * @param key the idempotency key
   * @param function the update function; without a byte if it is a read, which changes nothing and
   *     marks its place
   * @param records the actor's records
   * @param dropped true if the actor is to refuse it, unless it has it
   */
  record Delivery(
      OrderPlace place,
      long after,
      long timeMillis,
      UpdateKey key,
      Payload function,
      Payload records,
      @Since(2) boolean dropped) {
    /** Returns whether it is a read: it changes nothing, and marks its place. */
    public boolean isRead(Engines engines) {
      return !function.bytes(engines).hasRemaining();
    }

    /** Creates a delivery of an update that was not dropped. */
    public Delivery(
        OrderPlace place,
        long after,
        long timeMillis,
        UpdateKey key,
        Payload function,
        Payload records) {
      this(place, after, timeMillis, key, function, records, false);
    }
  }

  /**
   * The results of updates on an actor and all its readable copies.
   *
   * @param results the results of the first of the delivered updates, in their order; the others
   *     are to be delivered again
   * @param behind the last number that the actor has received, if the next update does not follow
   *     it
   */
  @Name("Delivered")
  record Delivered(List<Result> results, Optional<Long> behind) implements OrderedMessage {}

  /**
   * The result of one update.
   *
   * @param number its place in the table's order
   * @param position the position of the update in the actor's log
   * @param refusal the reason why nothing has changed, if the engine refused it
   * @param answers the answers of its function, see {@link UpdateMessage.Updated}
   */
  record Result(
      long number,
      Position position,
      Optional<Refusal> refusal,
      @Since(2) List<GivenAnswer> answers) {}

  /**
   * A question to the primary of an actor: the result of an update that it has received. Answered
   * by {@link Recalled}.
   *
   * @param actor the actor
   * @param key the name of the update's key
   */
  @Name("RecallOutcome")
  record RecallOutcome(ActorId actor, Hash key) implements OrderedMessage {}

  /**
   * The result of an update, as its actor remembers it.
   *
   * @param result its number is 0; empty if the actor does not know the key
   */
  @Name("Recalled")
  record Recalled(Optional<Result> result) implements OrderedMessage {}
}
