package io.uniserve.runtime.client.retrieve;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.runtime.client.context.ClientSettings;
import io.uniserve.runtime.client.context.Waiting;
import io.uniserve.runtime.client.plan.Absence;
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
 * it brought. The first to bring all values counts. Guarded by the progress that it belongs to.
 */
final class PartitionAttempts {
  /** The value that {@link #giveUp} returns for an attempt that does not count. */
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
  private final Absence absence = new Absence();
  private int failures;
  private int finalFailures;
  private long stuckSinceNanos;
  private boolean stuck;
  private boolean combined;
  private boolean settled;

  PartitionAttempts(int actor) {
    this.actor = actor;
  }

  int actor() {
    return actor;
  }

  /** Returns the servers whose copies have failed since the last pause. */
  Set<String> avoided() {
    return avoided;
  }

  /** Lets all copies be asked anew, since each has failed or there is none. */
  void avoidNothing() {
    avoided.clear();
    absence.triedAll();
  }

  /** Returns the pause before that. */
  long pauseNanos(ClientSettings settings) {
    return absence.pauseNanos(settings.retryDelay());
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

  /**
   * Returns the server of the only attempt, if it is under way and there never was a second one
   * beside it.
   */
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

  /** Adds values of an attempt; returns false if the attempt cannot count any more. */
  boolean add(ServerCall call, List<Payload> more) {
    Attempt attempt = of(call);
    if (attempt != null) {
      attempt.values().addAll(more);
    }
    return attempt != null;
  }

  /**
   * Makes an attempt the winner, since it has brought all values: its values count, and no others
   * ever. Returns the loser's call.
   */
  Optional<ServerCall> win(ServerCall call) {
    Attempt winner = of(call);
    Attempt loser = winner == first ? second : first;
    answer = winner.values();
    first = null;
    second = null;
    return Optional.ofNullable(loser).map(Attempt::call);
  }

  /** Gives an attempt up; returns how many values are dropped with it, or {@link #NONE}. */
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

  /** Returns how many values of an attempt other than the winner are held. */
  int valuesBeside(ServerCall call) {
    Attempt beside = first != null && first.call() != call ? first : second;
    return beside == null || beside.call() == call ? 0 : beside.values().size();
  }

  /** Returns whether an attempt is under way. */
  boolean attempted() {
    return first != null;
  }

  /** Makes no attempt count any more. */
  void disown() {
    first = null;
    second = null;
  }

  /** Settles the actor, which brings nothing more. */
  void settle() {
    settled = true;
  }

  boolean settled() {
    return settled;
  }

  /** Returns the values that count, once. */
  List<Payload> takeAnswer() {
    List<Payload> taken = answer;
    answer = List.of();
    return taken;
  }

  /** Returns true the first time it is called. */
  boolean combineOnce() {
    boolean once = !combined;
    combined = true;
    return once;
  }

  void failedOn(String server, UniserveException failure, long nowNanos) {
    avoided.add(server);
    lastFailure = failure;
    failures += absence.failed(failure, nowNanos) ? 0 : 1;
    boolean gone = failure.code() == ErrorCode.VERSION_GONE;
    finalFailures += gone || !failure.retryable() ? 1 : 0;
  }

  /** Returns whether the actor has been tried often enough, or for long enough. */
  boolean triedEnough(ClientSettings settings, long nowNanos) {
    return failures >= settings.attemptsMax() || absence.longerThan(settings.patience(), nowNanos);
  }

  /** Returns the number of failures after which another attempt at the same server is useless. */
  int finalFailures() {
    return finalFailures;
  }

  /** Returns the last failure, for people; empty text if there was none. */
  String before() {
    return lastFailure == null ? "" : "; before: " + lastFailure.getMessage();
  }

  /** Notes that no copy can be asked; returns true once that has lasted too long. */
  boolean outOfPatience(Clock clock, Duration patience) {
    if (!stuck) {
      stuck = true;
      stuckSinceNanos = clock.nanos();
    }
    return clock.nanos() - stuckSinceNanos > patience.toNanos();
  }

  /** Returns the failure for that case. */
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
