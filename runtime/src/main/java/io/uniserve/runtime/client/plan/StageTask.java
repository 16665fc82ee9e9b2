package io.uniserve.runtime.client.plan;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.plan.Input;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One task and its progress. At most one attempt at it is under way. Guarded by the stage that it
 * belongs to.
 */
final class StageTask {
  /** The place where a task may run. */
  sealed interface Where {
    /** The server that has its input. */
    record On(String server) implements Where {}

    /** Any server that has a readable copy. */
    record AtCopyOf(ActorId actor) implements Where {}

    /** Any server, but this one if possible. */
    record Anywhere(String preferred) implements Where {}
  }

  private final int number;
  private final Input input;
  private final Where where;
  private final Set<String> avoided = new TreeSet<>();
  private List<Payload> values = new ArrayList<>();
  private List<Integer> datasets = new ArrayList<>();
  private StageCall call;
  private int attempts;
  private final Absence absence = new Absence();
  private int failures;
  private int finalFailures;
  private UniserveException lastFailure;
  private long stuckSinceNanos = Long.MIN_VALUE;

  StageTask(int number, Input input, Where where) {
    this.number = number;
    this.input = input;
    this.where = where;
  }

  int number() {
    return number;
  }

  Input input() {
    return input;
  }

  /** Returns the actor that it reads; empty if it reads none. */
  Optional<Input.OfActor> actor() {
    return switch (input) {
      case Input.OfActor of -> Optional.of(of);
      case Input.OfOutput of -> Optional.empty();
      case Input.OfChunks of -> of.anchor();
    };
  }

  Where where() {
    return where;
  }

  /** Returns the servers that have failed it since the last pause. */
  Set<String> avoided() {
    return avoided;
  }

  /** Lets all servers be asked anew, since each has failed or there is none. */
  void avoidNothing() {
    avoided.clear();
    absence.triedAll();
  }

  /**
   * Returns the pause before that.
   *
   * @param first the pause of the first time
   */
  long pauseNanos(Duration first) {
    return absence.pauseNanos(first);
  }

  /** Begins another attempt; returns its number. */
  int begin(StageCall newCall) {
    call = newCall;
    stuckSinceNanos = Long.MIN_VALUE;
    return attempts++;
  }

  /** Returns the number of the latest attempt. */
  int attempt() {
    return attempts - 1;
  }

  /** Returns whether this call's attempt counts. */
  boolean isOf(StageCall some) {
    return call != null && call == some;
  }

  /** Notes that no attempt is under way. */
  void settle() {
    call = null;
  }

  void add(int dataset, Payload value) {
    datasets.add(dataset);
    values.add(value);
  }

  int held() {
    return values.size();
  }

  /** Drops the retrieved values, which are void. */
  void drop() {
    values = new ArrayList<>();
    datasets = new ArrayList<>();
  }

  /** Passes each retrieved value on with the number of its dataset. */
  void forEachValue(ValueTaker taker) {
    for (int i = 0; i < values.size(); i++) {
      taker.take(datasets.get(i), values.get(i));
    }
  }

  /** A receiver of values. */
  @FunctionalInterface
  interface ValueTaker {
    /** Takes one value. */
    void take(int dataset, Payload value);
  }

  void failed(String server, UniserveException failure, long nowNanos) {
    avoided.add(server);
    lastFailure = failure;
    failures += absence.failed(failure, nowNanos) ? 0 : 1;
    finalFailures += failure.retryable() ? 0 : 1;
  }

  /** Returns whether the task has been tried often enough, or for long enough. */
  boolean triedEnough(PlanCluster.Limits limits, long nowNanos) {
    return failures >= limits.attemptsMax() || absence.longerThan(limits.patience(), nowNanos);
  }

  /**
   * Returns the number of failures that make another attempt at the failing server useless, by its
   * own account.
   */
  int finalFailures() {
    return finalFailures;
  }

  /** Notes that no server can be asked; returns true once that has lasted too long. */
  boolean outOfPatience(long nowNanos, long patienceNanos) {
    if (stuckSinceNanos == Long.MIN_VALUE) {
      stuckSinceNanos = nowNanos;
    }
    return nowNanos - stuckSinceNanos > patienceNanos;
  }

  /** Returns the last failure, for people; empty text if there was none. */
  String before() {
    return lastFailure == null ? "" : "; before: " + lastFailure.getMessage();
  }
}
