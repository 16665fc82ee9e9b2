package io.uniserve.runtime.client.plan;

import io.uniserve.api.ActorId;
import io.uniserve.api.error.UniserveException;
import io.uniserve.runtime.wire.entry.Payload;
import io.uniserve.runtime.wire.plan.Input;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One task and what has come of it so far. At most one attempt at it is under way. Guarded by the
 * stage that it belongs to.
 */
final class StageTask {
  /** Where a task may run. */
  sealed interface Where {
    /** On the server that has its input. */
    record On(String server) implements Where {}

    /** On any server that has a readable copy. */
    record AtCopyOf(ActorId actor) implements Where {}

    /** On any server, on this one if it can. */
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
  private final Staleness staleness = new Staleness();
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

  /** The actor that it reads, if it does. */
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

  /** Servers that have failed it since the last pause. */
  Set<String> avoided() {
    return avoided;
  }

  /** Begins another attempt; returns its number. */
  int begin(StageCall newCall) {
    call = newCall;
    stuckSinceNanos = Long.MIN_VALUE;
    return attempts++;
  }

  /** The number of the latest attempt. */
  int attempt() {
    return attempts - 1;
  }

  /** Whether this call's attempt counts. */
  boolean isOf(StageCall some) {
    return call != null && call == some;
  }

  /** No attempt is under way. */
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

  /** What was retrieved is void. */
  void drop() {
    values = new ArrayList<>();
    datasets = new ArrayList<>();
  }

  /** Gives each retrieved value with the number of its dataset. */
  void forEachValue(ValueTaker taker) {
    for (int i = 0; i < values.size(); i++) {
      taker.take(datasets.get(i), values.get(i));
    }
  }

  /** Takes values. */
  @FunctionalInterface
  interface ValueTaker {
    /** One of them. */
    void take(int dataset, Payload value);
  }

  void failed(String server, UniserveException failure, long nowNanos) {
    avoided.add(server);
    lastFailure = failure;
    failures += staleness.failed(failure, nowNanos) ? 0 : 1;
    finalFailures += failure.retryable() ? 0 : 1;
  }

  /** Whether it has been tried often enough, or for long enough. */
  boolean triedEnough(PlanCluster.Limits limits, long nowNanos) {
    return failures >= limits.attemptsMax() || staleness.longerThan(limits.patience(), nowNanos);
  }

  /** Failures of which the failing server says that another try there is of no use. */
  int finalFailures() {
    return finalFailures;
  }

  /** Called while no server can be asked; true once that has gone on for too long. */
  boolean outOfPatience(long nowNanos, long patienceNanos) {
    if (stuckSinceNanos == Long.MIN_VALUE) {
      stuckSinceNanos = nowNanos;
    }
    return nowNanos - stuckSinceNanos > patienceNanos;
  }

  /** What went wrong last, for people; empty if nothing did. */
  String before() {
    return lastFailure == null ? "" : "; before: " + lastFailure.getMessage();
  }
}
