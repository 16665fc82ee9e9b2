package io.uniserve.runtime.control.reshape;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The turns of splits and merges: one attempt at a time, since the actor that is made has the next
 * number. It also counts the attempts of each actor, and for how long it has waited.
 */
public final class ReshapeTurns {
  /**
   * The number of failed attempts after which a split or merge is given up, for example because
   * servers have no room.
   */
  private static final int ATTEMPTS_MAX = 20;

  /** The gap between two attempts, in which a schema change that has waited can begin. */
  private static final Duration GAP = Duration.ofMillis(100);

  /**
   * The pause after a failed attempt. Each attempt holds updates up, and the obstacle may take a
   * while to go.
   */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Clock clock;
  private final Map<ActorId, Integer> attempts = new TreeMap<>();
  private final Map<ActorId, Long> waitingSinceNanos = new TreeMap<>();
  private final List<Runnable> whenOver = new ArrayList<>();
  private Optional<ActorId> taken = Optional.empty();
  private long notBeforeNanos;

  public ReshapeTurns(Clock clock) {
    this.clock = clock;
    this.notBeforeNanos = clock.nanos();
  }

  /** Returns whether an attempt may begin now. */
  boolean free() {
    return taken.isEmpty() && notBeforeNanos - clock.nanos() <= 0;
  }

  /** Returns whether an attempt is under way that began with this actor. */
  boolean isOf(ActorId id) {
    return taken.filter(id::equals).isPresent();
  }

  /** Returns whether an attempt is under way with actors of this table. */
  boolean isUnderWay(long table) {
    return taken.filter(id -> id.table() == table).isPresent();
  }

  /** Runs a task once the present attempt has ended. */
  void whenOver(Runnable task) {
    whenOver.add(task);
  }

  /** Begins an attempt. */
  void begin(ActorId id) {
    taken = Optional.of(id);
    waitingSinceNanos.remove(id);
  }

  /** Ends the attempt. */
  void end() {
    taken = Optional.empty();
    notBeforeNanos = clock.nanos() + GAP.toNanos();
    List<Runnable> tasks = List.copyOf(whenOver);
    whenOver.clear();
    tasks.forEach(Runnable::run);
  }

  /** Counts a failed attempt; returns how many have failed. The next one begins after a pause. */
  int failed(ActorId id) {
    notBeforeNanos = clock.nanos() + PAUSE.toNanos();
    return attempts.merge(id, 1, Integer::sum);
  }

  /** Returns whether this many attempts are enough. */
  static boolean enough(int count) {
    return count >= ATTEMPTS_MAX;
  }

  /** Returns whether an actor has been in no state for an attempt for longer than this. */
  boolean waitedFor(ActorId id, Duration most) {
    long now = clock.nanos();
    return now - waitingSinceNanos.computeIfAbsent(id, first -> now) > most.toNanos();
  }

  /** Notes that an actor is in a state for an attempt. */
  void ready(ActorId id) {
    waitingSinceNanos.remove(id);
  }

  /** Forgets an actor, which is not to be split or merged any more. */
  void forget(ActorId id) {
    attempts.remove(id);
    waitingSinceNanos.remove(id);
  }
}
