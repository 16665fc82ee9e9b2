package io.uniserve.runtime.client.retrieve;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.client.context.Waiting;
import io.uniserve.runtime.client.plan.Staleness;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Payload;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One actor's part in a query. At most two attempts at it are under way, each with the values that
 * it brought; the first to bring all is the one that counts. Guarded by the gathering that it
 * belongs to.
 */
final class ActorShare {
  /** What {@link #giveUp} returns for an attempt that does not count. */
  static final int NONE = -1;

  private record Attempt(ServerCall call, List<Payload> values) {
    Attempt(ServerCall call) {
      this(call, new ArrayList<>(1));
    }
  }

  private final int actor;
  private final Set<String> avoided = new TreeSet<>();
  private Attempt first;
  private Attempt second;
  private boolean hedged;
  private List<Payload> answer = List.of();
  private UniserveException lastFailure;
  private final Staleness staleness = new Staleness();
  private int failures;
  private int finalFailures;
  private long stuckSinceNanos;
  private boolean stuck;
  private boolean combined;
  private boolean settled;

  ActorShare(int actor) {
    this.actor = actor;
  }

  int actor() {
    return actor;
  }

  /** Servers whose copies have failed since the last pause. */
  Set<String> avoided() {
    return avoided;
  }

  void avoidNothing() {
    avoided.clear();
  }

  /** Begins the one attempt. */
  void begin(ServerCall call) {
    first = new Attempt(call);
    second = null;
    stuck = false;
  }

  /** Begins another attempt beside the one that is late. */
  void hedge(ServerCall call) {
    second = new Attempt(call);
    hedged = true;
  }

  /** The server of the only attempt, if it is under way and was never given company. */
  Optional<String> lateOn() {
    return first != null && !hedged && first.call().started()
        ? Optional.of(first.call().server())
        : Optional.empty();
  }

  private Attempt of(ServerCall call) {
    if (first != null && first.call() == call) {
      return first;
    }
    return second != null && second.call() == call ? second : null;
  }

  /** Takes values of an attempt; false if it is none that may still count. */
  boolean add(ServerCall call, List<Payload> more) {
    Attempt attempt = of(call);
    if (attempt != null) {
      attempt.values().addAll(more);
    }
    return attempt != null;
  }

  /** An attempt has brought all: its values count, and no others ever. Returns the loser. */
  Optional<ServerCall> win(ServerCall call) {
    Attempt winner = of(call);
    Attempt loser = winner == first ? second : first;
    answer = winner.values();
    first = null;
    second = null;
    return Optional.ofNullable(loser).map(Attempt::call);
  }

  /** Gives an attempt up; how many values went with it, or {@link #NONE}. */
  int giveUp(ServerCall call) {
    Attempt attempt = of(call);
    if (attempt == null) {
      return NONE;
    }
    if (attempt == first) {
      first = second;
    }
    second = null;
    return attempt.values().size();
  }

  /** How many values of an attempt other than the one that won are held. */
  int valuesBeside(ServerCall call) {
    Attempt beside = first != null && first.call() != call ? first : second;
    return beside == null || beside.call() == call ? 0 : beside.values().size();
  }

  /** Whether some attempt is under way. */
  boolean attempted() {
    return first != null;
  }

  /** No attempt counts any more. */
  void disown() {
    first = null;
    second = null;
  }

  /** Nothing more is to come of this actor. */
  void settle() {
    settled = true;
  }

  boolean settled() {
    return settled;
  }

  /** The values that count; they are given once. */
  List<Payload> takeAnswer() {
    List<Payload> taken = answer;
    answer = List.of();
    return taken;
  }

  /** True the first time. */
  boolean combineOnce() {
    boolean once = !combined;
    combined = true;
    return once;
  }

  void failedOn(String server, UniserveException failure, long nowNanos) {
    avoided.add(server);
    lastFailure = failure;
    failures += staleness.failed(failure, nowNanos) ? 0 : 1;
    boolean gone = failure.code() == ErrorCode.VERSION_GONE;
    finalFailures += gone || !failure.retryable() ? 1 : 0;
  }

  /** Whether it has been tried often enough, or for long enough. */
  boolean triedEnough(ClientSettings settings, long nowNanos) {
    return failures >= settings.attemptsMax()
        || staleness.longerThan(settings.patience(), nowNanos);
  }

  /** Failures after which another try at the same server is of no use. */
  int finalFailures() {
    return finalFailures;
  }

  /** What went wrong last, for people; empty if nothing did. */
  String before() {
    return lastFailure == null ? "" : "; before: " + lastFailure.getMessage();
  }

  /** Called while no copy can be asked; true once that has gone on for too long. */
  boolean outOfPatience(Clock clock, Duration patience) {
    if (!stuck) {
      stuck = true;
      stuckSinceNanos = clock.nanos();
    }
    return clock.nanos() - stuckSinceNanos > patience.toNanos();
  }

  /** What to say when it is. */
  UniserveException unanswerable(ClusterState state, TableState table) {
    return new UniserveException(
        ErrorCode.UNAVAILABLE,
        "actor "
            + actor
            + " of table '"
            + table.definition().name()
            + "' has no copy that can answer"
            + before()
            + Waiting.words(state, table.actorId(actor)));
  }
}
