package io.uniserve.runtime.client;

import io.uniserve.api.ErrorCode;
import io.uniserve.api.Operator;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Clock;
import io.uniserve.kernel.Deadline;
import io.uniserve.kernel.Invariant;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.wire.Payload;
import io.uniserve.runtime.wire.cluster.ActorState;
import io.uniserve.runtime.wire.cluster.ClusterState;
import io.uniserve.runtime.wire.cluster.TableState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One retrieve and combine over the actors of a table (DPA §3.3), on the caller's thread. Calls to
 * servers, one for all actors asked there, bring values on other threads; the caller's thread
 * combines them, and tries again what failed: at once on another copy, or after a pause where there
 * is none.
 *
 * <p>An actor's share is: asked → answered, or asked → failed → asked elsewhere. Values of an
 * attempt count only once its last has come, and only if no later attempt has begun.
 */
final class RetrieveRun<V, R> {
  /** Answered actors that may wait to be combined before the caller's thread is woken. */
  private static final int WAKE_AFTER = 64;

  private final ClientContext client;
  private final TableState table;
  private final Optional<Long> version;
  private final Payload operator;
  private final Operator.Combiner<V, R> combiner;
  private final Deadline deadline;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, ActorShare> shares = new TreeMap<>();
  private final Deque<ServerCall> waiting = new ArrayDeque<>();
  private final List<ServerCall> underWay = new ArrayList<>();
  private List<ActorShare> answered = new ArrayList<>();
  private List<ActorShare> failed = new ArrayList<>();
  private int unanswered;
  private int valuesHeld;
  private UniserveException fatal;
  private Signal wake;

  RetrieveRun(
      ClientContext client,
      TableState table,
      Optional<Long> version,
      Collection<Integer> actors,
      Payload operator,
      Operator.Combine<V, R> combine,
      Deadline deadline) {
    this.client = client;
    this.table = table;
    this.version = version;
    this.operator = operator;
    this.combiner = combine.begin();
    this.deadline = deadline;
    this.wake = client.environment().threads().signal();
    this.unanswered = actors.size();
    actors.forEach(actor -> shares.put(actor, new ActorShare(actor)));
  }

  R run() {
    boolean answeredAll = false;
    try {
      ask(List.copyOf(shares.values()));
      while (!step()) {
        deadline.check(clock(), describe());
      }
      answeredAll = true;
      return combiner.result();
    } finally {
      // Once every actor has answered nothing is under way: calls are about to end by themselves.
      if (!answeredAll) {
        cancelAll();
      }
    }
  }

  /** Waits for something to do and does it; true when every actor has been combined. */
  private boolean step() {
    awaitWake();
    List<ActorShare> toCombine;
    List<ActorShare> toRetry;
    boolean last;
    lock.lock();
    try {
      if (fatal != null) {
        throw fatal;
      }
      wake = client.environment().threads().signal();
      toCombine = answered;
      answered = new ArrayList<>();
      toRetry = failed;
      failed = new ArrayList<>();
      last = unanswered == 0;
    } finally {
      lock.unlock();
    }
    toCombine.forEach(this::combine);
    ask(toRetry);
    return last;
  }

  private void awaitWake() {
    try {
      if (!wake.await(deadline)) {
        throw new UniserveException(
            ErrorCode.DEADLINE_EXCEEDED,
            describe() + ": no answer of " + unanswered + " actors before the deadline");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, describe() + ": interrupted", e);
    }
  }

  @SuppressWarnings("unchecked")
  private void combine(ActorShare share) {
    Invariant.EXACT_ANSWER.require(
        share.combineOnce(), () -> "actor " + share.actor() + " was counted twice");
    List<Payload> values = share.takeValues();
    for (Payload value : values) {
      combiner.add(share.actor(), (V) value.value(client.engines()));
    }
    lock.lock();
    try {
      valuesHeld -= values.size();
    } finally {
      lock.unlock();
    }
  }

  /** Asks one copy of each actor; waits first where all have been tried or none is there. */
  private void ask(List<ActorShare> wanted) {
    List<ActorShare> left = wanted;
    for (int round = 0; !left.isEmpty(); round++) {
      Signal change = client.subscription().nextChange();
      left = askThoseWithCopy(left);
      if (!left.isEmpty()) {
        left.forEach(share -> share.requirePatience(clock(), client.settings().patience(), table));
        pause(change, round);
      }
    }
  }

  /** Returns those that have no copy to ask now. */
  private List<ActorShare> askThoseWithCopy(List<ActorShare> wanted) {
    ClusterState state = client.state();
    CopyChoice choice = new CopyChoice(state, client.load());
    Map<String, List<ActorShare>> byServer = new TreeMap<>();
    List<ActorShare> left = new ArrayList<>();
    for (ActorShare share : wanted) {
      ActorState actor =
          state.actor(table.actorId(share.actor())).orElseThrow(() -> dropped(table));
      choice
          .choose(actor, share.avoided())
          .ifPresentOrElse(
              server -> byServer.computeIfAbsent(server, name -> new ArrayList<>()).add(share),
              () -> left.add(share));
    }
    left.forEach(ActorShare::avoidNothing);
    byServer.forEach(
        (server, some) -> enqueue(new ServerCall(this, state.servers().get(server), some)));
    return left;
  }

  private void pause(Signal change, int round) {
    long nanos = client.settings().retryDelay().toNanos() << Math.min(round, 5);
    Deadline until = new Deadline(clock().nanos() + nanos).earlier(deadline);
    try {
      change.await(until);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UniserveException(ErrorCode.CANCELLED, describe() + ": interrupted", e);
    }
    deadline.check(clock(), describe());
  }

  private void enqueue(ServerCall call) {
    lock.lock();
    try {
      call.own();
      waiting.add(call);
    } finally {
      lock.unlock();
    }
    startWaiting();
  }

  private void startWaiting() {
    while (true) {
      ServerCall next;
      lock.lock();
      try {
        if (waiting.isEmpty()
            || underWay.size() >= client.settings().fanOutMax()
            || fatal != null) {
          return;
        }
        next = waiting.remove();
        underWay.add(next);
      } finally {
        lock.unlock();
      }
      next.start(client, table.id(), operator, version, deadline);
    }
  }

  /** Values of an attempt have come; they are ignored if it is not the actor's latest. */
  void retrieved(ServerCall call, int actor, List<Payload> values, boolean lastOfActor) {
    lock.lock();
    try {
      ActorShare share = shares.get(actor);
      if (share == null || !share.ownedBy(call)) {
        return;
      }
      share.add(values);
      valuesHeld += values.size();
      if (valuesHeld > client.settings().valuesMax()) {
        fatal =
            new UniserveException(
                ErrorCode.TOO_LARGE,
                describe() + " gives more than " + client.settings().valuesMax() + " values");
        wake.set();
      }
      if (lastOfActor) {
        share.disown();
        answered.add(share);
        unanswered--;
        if (unanswered == 0 || answered.size() >= WAKE_AFTER) {
          wake.set();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** An attempt at one actor failed. */
  void failed(ServerCall call, int actor, UniserveException failure) {
    lock.lock();
    try {
      ActorShare share = shares.get(actor);
      if (share == null || !share.ownedBy(call)) {
        return;
      }
      valuesHeld -= share.takeValues().size();
      share.disown();
      share.failedOn(call.server(), failure);
      if (hopeless(share, failure)) {
        fatal = named(share, failure);
      } else {
        failed.add(share);
      }
      wake.set();
    } finally {
      lock.unlock();
    }
  }

  /**
   * What one copy cannot do for a reason of its own, such as damaged files, another may (DPA §4.3).
   */
  private boolean hopeless(ActorShare share, UniserveException failure) {
    boolean callers = failure.code().party() == ErrorCode.Party.CALLER;
    return callers
        || share.failures() >= client.settings().attemptsMax()
        || share.finalFailures() >= table.definition().replicas();
  }

  /** A call has ended, whatever came of it. */
  void ended(ServerCall call) {
    lock.lock();
    try {
      underWay.remove(call);
    } finally {
      lock.unlock();
    }
    startWaiting();
  }

  private UniserveException named(ActorShare share, UniserveException failure) {
    return failure.code().party() == ErrorCode.Party.CALLER
        ? failure
        : new UniserveException(
            failure.code(),
            "actor " + share.actor() + " of " + describe() + ": " + failure.getMessage(),
            failure);
  }

  private void cancelAll() {
    List<ServerCall> calls;
    lock.lock();
    try {
      shares.values().forEach(ActorShare::disown);
      waiting.clear();
      calls = List.copyOf(underWay);
    } finally {
      lock.unlock();
    }
    calls.forEach(ServerCall::cancel);
  }

  private static UniserveException dropped(TableState table) {
    return new UniserveException(
        ErrorCode.NOT_FOUND,
        "table '" + table.definition().name() + "' was dropped during the query");
  }

  private String describe() {
    return "query of table '" + table.definition().name() + "'";
  }

  private Clock clock() {
    return client.environment().clock();
  }
}
