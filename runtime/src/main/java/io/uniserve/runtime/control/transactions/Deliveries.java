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
import io.uniserve.runtime.wire.OrderedMessage.MarkDelivery;
import io.uniserve.runtime.wire.OrderedMessage.Result;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ServerState;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.entry.ReadPoint.Mark;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The deliveries of ordered updates to the primaries of their actors, to each in order, until all
 * have answered (RB §5.4). A message has all that waits for its actor. Several messages to an actor
 * are under way at once: each names the update before its own, so the actor takes them in order
 * whatever arrives first. If one fails, it and those after it are sent again. No actor waits for
 * another. A new primary may get updates again that a former one has had. Only for the deciding
 * thread.
 */
final class Deliveries {
  private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(3);

  /** The first pause after a message that came to nothing, and the longest. */
  private static final Duration PAUSE_MIN = Duration.ofMillis(5);

  private static final Duration PAUSE_MAX = Duration.ofMillis(100);
  private static final Duration STALLED_PAUSE_MAX = Duration.ofSeconds(10);
  private static final int DOUBLED_MAX = 10;
  private static final int MESSAGE_UPDATES_MAX = 500;

  /** The time after which a mark that could not be sent comes to nothing. */
  private static final Duration MARK_LIFETIME = Duration.ofSeconds(5);

  /** The number of marks that may wait for one actor; beyond it, the oldest come to nothing. */
  private static final int MARKS_MAX = 1_000;

  private static final long MESSAGE_BYTES_MAX = 4 << 20;

  /** The number of messages to one actor that may be under way. */
  static final int MESSAGES_MAX = 4;

  /** A listener for the outcomes of deliveries. */
  interface Listener {
    /** Notes that an actor has received an update. */
    void got(ActorId actor, Result result);

    /**
     * Notes that an actor has lost the updates after a number. Those that are not settled are
     * delivered again.
     */
    void lost(ActorId actor, long after);

    /** Notes that all outcomes of one message were told. */
    void told();
  }

  /** The deliveries to one actor. */
  private static final class Lane {
    private final ActorId actor;

    /** All updates of the actor that are not settled. */
    private final NavigableMap<Long, OrderedUpdate> pending = new TreeMap<>();

    /** The numbers of those that the actor has received. */
    private final Set<Long> got = new TreeSet<>();

    /** The marks that no message under way has, and since when they wait. */
    private final NavigableMap<Mark, Long> marks = new TreeMap<>();

    /** The messages without an answer so far, in their order. */
    private final SequencedSet<Attempt> attempts = new LinkedHashSet<>();

    /** The number up to which the actor has received all, or messages with it are under way. */
    private long sent;

    private boolean resting;

    /** The number of pauses in a row. */
    private int pauses;

    private Optional<Stall> stall = Optional.empty();

    Lane(ActorId actor) {
      this.actor = actor;
    }
  }

  /**
   * The failures of one actor's engine with one update.
   *
   * @param number the number of the update
   * @param times the number of failures in a row
   */
  private record Stall(long number, int times) {
    /** Returns the time until the next attempt: longer each time, since each opens a copy again. */
    Duration pause() {
      return doubled(PAUSE_MAX, times, STALLED_PAUSE_MAX);
    }
  }

  /** One message without an answer so far. */
  private static final class Attempt {
    private final long epoch;
    private final long first;
    private final int updates;
    private final List<MarkDelivery> marks;
    private Call call = () -> {};

    /**
     * @param first the number of the first update; of marks alone, the number before which all was
     *     sent
     */
    Attempt(long epoch, long first, List<Delivery> updates, List<MarkDelivery> marks) {
      this.epoch = epoch;
      this.first = first;
      this.updates = updates.size();
      this.marks = marks;
    }
  }

  private final Environment environment;
  private final Decisions decisions;
  private final Listener listener;
  private final NavigableMap<ActorId, Lane> lanes = new TreeMap<>();

  /** The lanes of each table with updates that were added since its last commit. */
  private final Map<Long, Set<Lane>> added = new LinkedHashMap<>();

  /** For each table, the number up to which places are committed. */
  private final Map<Long, Long> committed = new TreeMap<>();

  /** The tables and numbers of the updates that an operator dropped. */
  private final Set<Map.Entry<Long, Long>> dropped = new LinkedHashSet<>();

  Deliveries(Environment environment, Decisions decisions, Listener listener) {
    this.environment = environment;
    this.decisions = decisions;
    this.listener = listener;
  }

  /**
   * Takes an update, to be delivered once its place is {@link #committed}. All earlier ones of its
   * table were added before.
   */
  void add(OrderedUpdate update) {
    long table = update.update().table();
    for (int number : update.actors()) {
      ActorId actor = new ActorId(table, number);
      Lane lane = lanes.computeIfAbsent(actor, Lane::new);
      lane.pending.put(update.number(), update);
      added.computeIfAbsent(table, absent -> new LinkedHashSet<>()).add(lane);
    }
  }

  /** Delivers the updates of a table up to a number, whose places are committed. */
  void committed(long table, long number) {
    committed.merge(table, number, Math::max);
    Set<Lane> waiting = added.remove(table);
    if (waiting != null) {
      waiting.forEach(this::advance);
      Set<Lane> later = new LinkedHashSet<>(waiting);
      later.removeIf(lane -> lane.pending.isEmpty() || lane.pending.lastKey() <= number);
      if (!later.isEmpty()) {
        added.put(table, later);
      }
    }
  }

  /**
   * Delivers a mark to an actor, after the updates of its table up to the mark's number, which are
   * committed, and before all later ones.
   */
  void mark(ActorId actor, Mark mark) {
    Lane lane = lanes.computeIfAbsent(actor, Lane::new);
    lane.marks.put(mark, environment.clock().nanos());
    if (lane.marks.size() > MARKS_MAX) {
      lane.marks.pollFirstEntry();
    }
    advance(lane);
  }

  /** Has an update refused by the actors that do not have it, once that is committed. */
  void drop(long table, long number) {
    dropped.add(Map.entry(table, number));
  }

  /** Returns whether an actor's engine failed with an update when it was last delivered. */
  boolean isStalledAt(long table, long number) {
    return lanes.subMap(new ActorId(table, 0), new ActorId(table + 1, 0)).values().stream()
        .anyMatch(lane -> lane.stall.filter(stall -> stall.number() == number).isPresent());
  }

  /** Notes that all actors of an update have received it. */
  void settled(OrderedUpdate update) {
    dropped.remove(Map.entry(update.update().table(), update.number()));
    for (int number : update.actors()) {
      Lane lane = lanes.get(new ActorId(update.update().table(), number));
      lane.pending.remove(update.number());
      lane.got.remove(update.number());
      removeIfIdle(lane);
    }
  }

  private void removeIfIdle(Lane lane) {
    if (lane.pending.isEmpty() && lane.marks.isEmpty() && lane.attempts.isEmpty()) {
      lanes.remove(lane.actor, lane);
    }
  }

  /** Drops the deliveries to a table that was dropped. */
  void dropped(long table) {
    lanes.subMap(new ActorId(table, 0), new ActorId(table + 1, 0)).clear();
    added.remove(table);
    committed.remove(table);
    dropped.removeIf(update -> update.getKey() == table);
  }

  /** Turns to new primaries. */
  void check() {
    long nanos = environment.clock().nanos();
    for (Lane lane : List.copyOf(lanes.values())) {
      lane.marks.values().removeIf(since -> nanos - since > MARK_LIFETIME.toNanos());
      turn(lane);
    }
  }

  /** Turns to the primary of an actor if that is another one now. */
  void turn(ActorId actor) {
    Optional.ofNullable(lanes.get(actor)).ifPresent(this::turn);
  }

  private void turn(Lane lane) {
    long epoch = decisions.state().actor(lane.actor).map(ActorState::epoch).orElse(0L);
    List.copyOf(lane.attempts).stream()
        .filter(attempt -> attempt.epoch != epoch)
        .findFirst()
        .ifPresent(
            attempt -> {
              giveUp(lane, attempt);
              advance(lane);
            });
  }

  /** Gives up a message and those after it, which are to be sent again. */
  private void giveUp(Lane lane, Attempt attempt) {
    lane.sent = Math.min(lane.sent, attempt.first - 1);
    for (Attempt later : List.copyOf(lane.attempts)) {
      if (later.first >= attempt.first) {
        lane.attempts.remove(later);
        later.marks.forEach(given -> lane.marks.put(given.mark(), environment.clock().nanos()));
        later.call.cancel();
      }
    }
  }

  private void advance(Lane lane) {
    while (lanes.get(lane.actor) == lane
        && !lane.resting
        && lane.attempts.size() < MESSAGES_MAX
        && sendNext(lane)) {
      // each round sends one message
    }
  }

  /** Sends the next message, if there is anything to send. */
  private boolean sendNext(Lane lane) {
    List<Delivery> next = next(lane);
    long sent = next.isEmpty() ? lane.sent : next.getLast().place().number();
    List<MarkDelivery> marks = marks(lane, sent);
    if (next.isEmpty() && marks.isEmpty()) {
      removeIfIdle(lane);
      return false;
    }
    Optional<ActorState> actor = decisions.state().actor(lane.actor);
    Optional<ServerState> primary =
        actor
            .map(known -> decisions.state().servers().get(known.primary()))
            .filter(ServerState::alive);
    if (primary.isEmpty()) {
      rest(lane);
      return false;
    }
    Deliver message = new Deliver(lane.actor, generation(lane.actor), next, marks);
    long first = next.isEmpty() ? sent + 1 : next.getFirst().place().number();
    Attempt attempt = new Attempt(actor.orElseThrow().epoch(), first, next, marks);
    marks.forEach(given -> lane.marks.remove(given.mark()));
    lane.attempts.add(attempt);
    lane.sent = sent;
    // What was committed may be delivered by anybody, so nothing is to be confirmed.
    attempt.call =
        environment
            .transport()
            .call(
                primary.get().address(),
                message,
                Deadline.after(environment.clock(), ANSWER_TIMEOUT),
                new Answer(lane, attempt));
    return true;
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

  private List<Delivery> next(Lane lane) {
    List<Delivery> next = new ArrayList<>();
    long bytes = 0;
    long until = committed.getOrDefault(lane.actor.table(), 0L);
    if (until <= lane.sent) {
      return next;
    }
    for (OrderedUpdate update : lane.pending.subMap(lane.sent, false, until, true).values()) {
      if (lane.got.contains(update.number())) {
        continue;
      }
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
              Payload.ofBytes(engine, ByteBuffer.wrap(records)),
              dropped.contains(Map.entry(lane.actor.table(), update.number()))));
    }
    return next;
  }

  /**
   * Returns the marks that can be sent once updates up to a number are: those before the next one.
   */
  private static List<MarkDelivery> marks(Lane lane, long sent) {
    if (lane.marks.isEmpty()) {
      return List.of();
    }
    long next =
        lane.pending.tailMap(sent, false).keySet().stream()
            .filter(number -> !lane.got.contains(number))
            .findFirst()
            .orElse(Long.MAX_VALUE);
    return lane.marks.keySet().stream()
        .takeWhile(mark -> mark.number() < next)
        .map(
            mark -> {
              Long before = lane.pending.floorKey(mark.number());
              return new MarkDelivery(mark, before == null ? 0 : before);
            })
        .toList();
  }

  private static long notSettledBefore(Lane lane, OrderedUpdate update) {
    Long before = lane.pending.lowerKey(update.number());
    return before == null ? 0 : before;
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
      decisions.submit(() -> ended(lane, attempt, Optional.of(reply), Optional.empty()));
    }

    @Override
    public void completed() {
      decisions.submit(() -> ended(lane, attempt, Optional.empty(), Optional.empty()));
    }

    @Override
    public void failed(UniserveException failure) {
      decisions.submit(() -> ended(lane, attempt, Optional.empty(), Optional.of(failure)));
    }
  }

  /** Handles the end of a message. Only the first news of an end counts. */
  private void ended(
      Lane lane, Attempt attempt, Optional<Message> reply, Optional<UniserveException> failure) {
    if (!lane.attempts.contains(attempt) || lanes.get(lane.actor) != lane) {
      return;
    }
    int taken = 0;
    boolean whole = false;
    if (reply.isPresent() && reply.get() instanceof Delivered delivered) {
      taken = take(lane, delivered);
      whole = taken == attempt.updates && delivered.behind().isEmpty();
    }
    if (whole) {
      lane.attempts.remove(attempt);
    } else {
      giveUp(lane, attempt);
    }
    failure.filter(known -> !known.retryable()).ifPresent(known -> stalled(lane, attempt, known));
    if (taken == 0 && !whole) {
      rest(lane);
    } else {
      lane.stall = Optional.empty();
      lane.pauses = 0;
      advance(lane);
    }
  }

  /**
   * Notes that engine code failed. What has a place is applied nevertheless, or nothing after it.
   */
  private void stalled(Lane lane, Attempt attempt, UniserveException failure) {
    int before =
        lane.stall.filter(known -> known.number() == attempt.first).map(Stall::times).orElse(0);
    lane.stall = Optional.of(new Stall(attempt.first, before + 1));
    LOG.warn(
        "actor {} stalls at ordered update {}: {}",
        lane.actor,
        attempt.first,
        failure.getMessage());
  }

  /** Takes an answer; returns the number of updates that the actor has received. */
  private int take(Lane lane, Delivered delivered) {
    for (Result result : delivered.results()) {
      if (lane.pending.containsKey(result.number()) && lane.got.add(result.number())) {
        listener.got(lane.actor, result);
      }
    }
    listener.told();
    delivered.behind().ifPresent(last -> lost(lane, last));
    return delivered.results().size();
  }

  /** Notes that an actor has only received what is up to a number. */
  private void lost(Lane lane, long last) {
    lane.sent = Math.min(lane.sent, last);
    if (lane.got.removeIf(number -> number > last)) {
      listener.lost(lane.actor, last);
    }
  }

  private void rest(Lane lane) {
    lane.resting = true;
    Duration pause =
        lane.stall.map(Stall::pause).orElse(doubled(PAUSE_MIN, lane.pauses++, PAUSE_MAX));
    environment.clock().schedule(pause, () -> decisions.submit(() -> rested(lane)));
  }

  private static Duration doubled(Duration first, int times, Duration most) {
    Duration doubled = first.multipliedBy(1L << Math.min(times, DOUBLED_MAX));
    return doubled.compareTo(most) > 0 ? most : doubled;
  }

  private void rested(Lane lane) {
    lane.resting = false;
    advance(lane);
  }
}
