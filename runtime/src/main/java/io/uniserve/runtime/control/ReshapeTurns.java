package io.uniserve.runtime.control;

import io.uniserve.api.ActorId;
import io.uniserve.kernel.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Lets one actor at a time be split, or two be merged: the actor that is made has the next number,
 * so no two attempts may make one. Counts the attempts of each, and for how long it has waited.
 */
final class ReshapeTurns {
  /** Attempts at one change: under failures, or with servers that have no room, it is given up. */
  private static final int ATTEMPTS_MAX = 20;

  /**
   * Between two attempts: it leaves a change of schema that waited for the one the time to begin.
   */
  private static final Duration GAP = Duration.ofMillis(100);

  /**
   * Before another attempt, after one that came to nothing: each holds updates up, and what was in
   * the way may take a while to go.
   */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Clock clock;
  private final Map<ActorId, Integer> attempts = new TreeMap<>();
  private final Map<ActorId, Long> waitingSinceNanos = new TreeMap<>();
  private final List<Runnable> whenOver = new ArrayList<>();
  private Optional<ActorId> taken = Optional.empty();
  private long notBeforeNanos;

  ReshapeTurns(Clock clock) {
    this.clock = clock;
    this.notBeforeNanos = clock.nanos();
  }

  /** Whether an attempt may begin now. */
  boolean free() {
    return taken.isEmpty() && notBeforeNanos - clock.nanos() <= 0;
  }

  /** Whether the attempt that is under way, if one is, began with this actor. */
  boolean isOf(ActorId id) {
    return taken.filter(id::equals).isPresent();
  }

  /** Whether an attempt is under way with actors of this table. */
  boolean isUnderWay(long table) {
    return taken.filter(id -> id.table() == table).isPresent();
  }

  /** Does something once the attempt that is under way has ended. */
  void whenOver(Runnable task) {
    whenOver.add(task);
  }

  /** An attempt begins. */
  void begin(ActorId id) {
    taken = Optional.of(id);
    waitingSinceNanos.remove(id);
  }

  /** The attempt has ended. */
  void end() {
    taken = Optional.empty();
    notBeforeNanos = clock.nanos() + GAP.toNanos();
    List<Runnable> tasks = List.copyOf(whenOver);
    whenOver.clear();
    tasks.forEach(Runnable::run);
  }

  /** An attempt came to nothing; returns how many have. The next one begins after a pause. */
  int failed(ActorId id) {
    notBeforeNanos = clock.nanos() + PAUSE.toNanos();
    return attempts.merge(id, 1, Integer::sum);
  }

  /** Whether so many attempts are enough. */
  static boolean enough(int count) {
    return count >= ATTEMPTS_MAX;
  }

  /** Whether an actor has been in no state for an attempt for longer than this. */
  boolean waitedFor(ActorId id, Duration most) {
    long now = clock.nanos();
    return now - waitingSinceNanos.computeIfAbsent(id, first -> now) > most.toNanos();
  }

  /** It is in a state for an attempt. */
  void ready(ActorId id) {
    waitingSinceNanos.remove(id);
  }

  /** Nothing is to become of it. */
  void forget(ActorId id) {
    attempts.remove(id);
    waitingSinceNanos.remove(id);
  }
}
