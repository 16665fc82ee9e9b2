package io.uniserve.runtime.control.transactions;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Environment;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Transport.Call;
import io.uniserve.kernel.Transport.ReplyObserver;
import io.uniserve.runtime.control.log.Decisions;
import io.uniserve.runtime.control.log.OrderedUpdate;
import io.uniserve.runtime.wire.OrderedMessage.Deliver;
import io.uniserve.runtime.wire.OrderedMessage.Delivered;
import io.uniserve.runtime.wire.OrderedMessage.Delivery;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.entry.Payload;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The deliveries of ordered updates to the primaries of their actors, to each in order, until all
 * have answered (RB §5.4). An actor gets one message at a time, with all that waits for it. No
 * actor waits for another. A new primary may get updates again that a former one has had. Only for
 * the deciding thread.
 */
final class Deliveries {
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int MESSAGE_UPDATES_MAX = 100;
  private static final long MESSAGE_BYTES_MAX = 4 << 20;

  /** A listener for the outcomes of deliveries. */
  interface Listener {
    /** Notes that an actor has received an update. */
    void got(ActorId actor, Result result);

    /**
     * Notes that an actor has lost the updates after a number. Those that are not settled are
     * delivered again.
     */
    void lost(ActorId actor, long after);
  }

  /** The deliveries to one actor. */
  private static final class Lane {
    private final ActorId actor;

    /** All updates of the actor that are not settled. */
    private final NavigableMap<Long, OrderedUpdate> pending = new TreeMap<>();

    /** The number up to which the actor has received everything, as far as is known. */
    private long got;

    private Optional<Attempt> attempt = Optional.empty();
    private boolean resting;

    Lane(ActorId actor) {
      this.actor = actor;
    }
  }

  /** One message without an answer so far. */
  private static final class Attempt {
    private final long epoch;
    private Call call = () -> {};

    Attempt(long epoch) {
      this.epoch = epoch;
    }
  }

  private final Environment environment;
  private final Decisions decisions;
  private final Listener listener;
  private final NavigableMap<ActorId, Lane> lanes = new TreeMap<>();

  Deliveries(Environment environment, Decisions decisions, Listener listener) {
    this.environment = environment;
    this.decisions = decisions;
    this.listener = listener;
  }

  /** Delivers an update. All earlier ones of its table were added before. */
  void add(OrderedUpdate update) {
    for (int number : update.actors()) {
      ActorId actor = new ActorId(update.update().table(), number);
      Lane lane = lanes.computeIfAbsent(actor, Lane::new);
      lane.pending.put(update.number(), update);
      advance(lane);
    }
  }

  /** Notes that all actors of an update have received it. */
  void settled(OrderedUpdate update) {
    for (int number : update.actors()) {
      Lane lane = lanes.get(new ActorId(update.update().table(), number));
      lane.pending.remove(update.number());
      if (lane.pending.isEmpty() && lane.attempt.isEmpty()) {
        lanes.remove(lane.actor);
      }
    }
  }

  /** Drops the deliveries to a table that was dropped. */
  void dropped(long table) {
    lanes.subMap(new ActorId(table, 0), new ActorId(table + 1, 0)).clear();
  }

  /** Turns to new primaries. */
  void check() {
    for (Lane lane : List.copyOf(lanes.values())) {
      long epoch = decisions.state().actor(lane.actor).map(ActorState::epoch).orElse(0L);
      lane.attempt
          .filter(attempt -> attempt.epoch != epoch)
          .ifPresent(
              attempt -> {
                lane.attempt = Optional.empty();
                attempt.call.cancel();
                advance(lane);
              });
    }
  }

  private void advance(Lane lane) {
    boolean current = lanes.get(lane.actor) == lane;
    if (!current || lane.attempt.isPresent() || lane.resting) {
      return;
    }
    List<Delivery> next = next(lane);
    if (next.isEmpty()) {
      if (lane.pending.isEmpty()) {
        lanes.remove(lane.actor);
      }
      return;
    }
    Optional<ActorState> actor = decisions.state().actor(lane.actor);
    Optional<ServerState> primary =
        actor
            .map(known -> decisions.state().servers().get(known.primary()))
            .filter(ServerState::alive);
    if (primary.isEmpty()) {
      rest(lane);
      return;
    }
    Deliver message = new Deliver(lane.actor, generation(lane.actor), next);
    Attempt attempt = new Attempt(actor.orElseThrow().epoch());
    lane.attempt = Optional.of(attempt);
    decisions.whenCommitted(() -> send(lane, attempt, primary.get(), message));
  }

  /**
   * Returns the generation of an actor's keys. No actor is split or merged while a delivery to it
   * is under way, so all of its deliveries have one generation.
   */
  private int generation(ActorId actor) {
    return decisions
        .state()
        .tables()
        .get(actor.table())
        .definition()
        .partitioner()
        .generation(actor.number());
  }

  private static List<Delivery> next(Lane lane) {
    List<Delivery> next = new ArrayList<>();
    long bytes = 0;
    for (OrderedUpdate update : lane.pending.tailMap(lane.got, false).values()) {
      byte[] records = update.portionOf(lane.actor.number()).records();
      bytes += records.length + update.update().function().length;
      boolean full = next.size() >= MESSAGE_UPDATES_MAX || bytes > MESSAGE_BYTES_MAX;
      if (full && !next.isEmpty()) {
        break;
      }
      String engine = update.update().engine();
      next.add(
          new Delivery(
              update.placeAt(lane.actor.number()),
              notSettledBefore(lane, update),
              update.update().timeMillis(),
              update.update().key(),
              Payload.ofBytes(engine, ByteBuffer.wrap(update.update().function())),
              Payload.ofBytes(engine, ByteBuffer.wrap(records))));
    }
    return next;
  }

  private static long notSettledBefore(Lane lane, OrderedUpdate update) {
    Long before = lane.pending.lowerKey(update.number());
    return before == null ? 0 : before;
  }

  private void send(Lane lane, Attempt attempt, ServerState primary, Deliver message) {
    if (lane.attempt.filter(attempt::equals).isPresent()) {
      attempt.call =
          environment
              .transport()
              .call(
                  primary.address(),
                  message,
                  Deadline.after(environment.clock(), ANSWER_TIMEOUT),
                  new Answer(lane, attempt));
    }
  }

  private final class Answer implements ReplyObserver {
    private final Lane lane;
    private final Attempt attempt;

    Answer(Lane lane, Attempt attempt) {
      this.lane = lane;
      this.attempt = attempt;
    }

    @Override
    public void replied(Message reply) {
      decisions.submit(() -> ended(lane, attempt, Optional.of(reply)));
    }

    @Override
    public void completed() {
      decisions.submit(() -> ended(lane, attempt, Optional.empty()));
    }

    @Override
    public void failed(UniserveException failure) {
      decisions.submit(() -> ended(lane, attempt, Optional.empty()));
    }
  }

  /** Handles the end of a message. Only the first news of an end counts. */
  private void ended(Lane lane, Attempt attempt, Optional<Message> reply) {
    if (lane.attempt.filter(attempt::equals).isEmpty() || lanes.get(lane.actor) != lane) {
      return;
    }
    lane.attempt = Optional.empty();
    long before = lane.got;
    if (reply.isPresent() && reply.get() instanceof Delivered delivered) {
      take(lane, delivered);
    }
    if (lane.got == before) {
      rest(lane);
    } else {
      advance(lane);
    }
  }

  private void take(Lane lane, Delivered delivered) {
    for (Result result : delivered.results()) {
      lane.got = Math.max(lane.got, result.number());
      if (lane.pending.containsKey(result.number())) {
        listener.got(lane.actor, result);
      }
    }
    delivered
        .behind()
        .filter(last -> last < lane.got)
        .ifPresent(
            last -> {
              lane.got = last;
              listener.lost(lane.actor, last);
            });
  }

  private void rest(Lane lane) {
    lane.resting = true;
    environment.clock().schedule(PAUSE, () -> decisions.submit(() -> rested(lane)));
  }

  private void rested(Lane lane) {
    lane.resting = false;
    advance(lane);
  }
}
