package io.uniserve.runtime.client.retrieve;

import io.uniserve.api.error.ErrorCode;
import io.uniserve.api.error.UniserveException;
import io.uniserve.kernel.Signal;
import io.uniserve.runtime.client.context.ClientContext;
import io.uniserve.runtime.wire.cluster.TableState;
import io.uniserve.runtime.wire.entry.Payload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The progress of the actors of one query. Calls to servers bring values and failures on many
 * threads. The caller's thread takes out the actors to combine and those to ask again.
 *
 * <p>An actor's share is: asked → answered, or asked → failed → asked elsewhere; or, if a partial
 * answer is enough, → missing. Values of an attempt count only once its last has come. They do not
 * count if another attempt's last came before, or if the attempt failed and a later one has begun.
 */
final class QueryProgress implements CallListener {
  /**
   * The number of answered actors that may wait before the caller's thread is woken to combine
   * them.
   */
  private static final int WAKE_AFTER = 64;

  /**
   * The next work.
   *
   * @param answered the actors that have answered, to be combined
   * @param failed the actors that have failed, to be asked again
   * @param last true if nothing else will come
   */
  record Next(List<PartitionAttempts> answered, List<PartitionAttempts> failed, boolean last) {}

  private final ClientContext client;
  private final TableState table;
  private final boolean partial;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Integer, PartitionAttempts> shares = new TreeMap<>();
  private final SortedMap<Integer, String> missing = new TreeMap<>();
  private final Deque<ServerCall> waiting = new ArrayDeque<>();
  private final List<ServerCall> underWay = new ArrayList<>();
  private List<PartitionAttempts> answered = new ArrayList<>();
  private List<PartitionAttempts> failed = new ArrayList<>();
  private int unanswered;
  private int valuesHeld;
  private UniserveException fatal;
  private Signal wake;

  /**
   * @param partial true if actors may be missing in the end
   */
  QueryProgress(
      ClientContext client, TableState table, Collection<Integer> actors, boolean partial) {
    this.client = client;
    this.table = table;
    this.partial = partial;
    this.wake = client.environment().threads().signal();
    this.unanswered = actors.size();
    actors.forEach(actor -> shares.put(actor, new PartitionAttempts(actor)));
  }

  List<PartitionAttempts> shares() {
    return List.copyOf(shares.values());
  }

  /**
   * Returns the signal that is set when there is something to take out. For the caller's thread.
   */
  Signal wake() {
    return wake;
  }

  /** Returns how many actors have neither answered nor are missing. */
  int unanswered() {
    lock.lock();
    try {
      return unanswered;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the actors that are missing, and the reasons. */
  SortedMap<Integer, String> missing() {
    lock.lock();
    try {
      return Collections.unmodifiableSortedMap(new TreeMap<>(missing));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes out the next work.
   *
   * @throws UniserveException if the query has failed
   */
  Next next() {
    lock.lock();
    try {
      if (fatal != null) {
        throw fatal;
      }
      wake = client.environment().threads().signal();
      Next next = new Next(answered, failed, unanswered == 0);
      answered = new ArrayList<>();
      failed = new ArrayList<>();
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Notes that values were combined and are not held any more. */
  void released(int values) {
    lock.lock();
    try {
      valuesHeld -= values;
    } finally {
      lock.unlock();
    }
  }

  /** Begins the one attempt at some actors, now or once fewer calls are under way. */
  void enqueue(ServerCall call) {
    lock.lock();
    try {
      call.actors().forEach(actor -> shares.get(actor).begin(call));
      waiting.add(call);
    } finally {
      lock.unlock();
    }
    beginWaiting();
  }

  /** Begins the second attempts that a choice makes among the shares. */
  void enqueueBeside(HedgeChoice choice) {
    lock.lock();
    try {
      for (ServerCall call : choice.among(shares.values())) {
        call.actors().forEach(actor -> shares.get(actor).hedge(call));
        waiting.add(call);
      }
    } finally {
      lock.unlock();
    }
    beginWaiting();
  }

  /** A choice of second attempts. */
  @FunctionalInterface
  interface HedgeChoice {
    /** Returns calls for some of the shares. */
    Collection<ServerCall> among(Collection<PartitionAttempts> shares);
  }

  private void beginWaiting() {
    while (true) {
      ServerCall next;
      lock.lock();
      try {
        boolean full = underWay.size() >= client.settings().fanOutMax();
        if (waiting.isEmpty() || full || fatal != null) {
          return;
        }
        next = waiting.remove();
        underWay.add(next);
      } finally {
        lock.unlock();
      }
      next.start();
    }
  }

  /** Takes values of an attempt; they are ignored if it does not count any more. */
  @Override
  public void retrieved(ServerCall call, int actor, List<Payload> values, boolean lastOfActor) {
    Optional<ServerCall> useless = Optional.empty();
    lock.lock();
    try {
      PartitionAttempts share = shares.get(actor);
      if (share == null || !share.add(call, values)) {
        return;
      }
      valuesHeld += values.size();
      requireBound();
      if (lastOfActor) {
        useless = won(call, share);
      }
    } finally {
      lock.unlock();
    }
    useless.ifPresent(ServerCall::cancel);
  }

  private void requireBound() {
    int bound = client.settings().valuesMax();
    if (valuesHeld > bound) {
      fatal =
          new UniserveException(
              ErrorCode.TOO_LARGE, describe() + " gives more than " + bound + " values");
      wake.set();
    }
  }

  /** Returns the other attempt's call if nobody waits for it any more. */
  private Optional<ServerCall> won(ServerCall call, PartitionAttempts share) {
    valuesHeld -= share.valuesBeside(call);
    Optional<ServerCall> loser = share.win(call);
    share.settle();
    call.settle();
    answered.add(share);
    unanswered--;
    if (unanswered == 0 || answered.size() >= WAKE_AFTER) {
      wake.set();
    }
    return loser.filter(ServerCall::settle);
  }

  /**
   * Notes that an attempt at one actor failed; another may still be under way.
   *
   * @param why returns the failure; called only if the attempt counts
   */
  @Override
  public void failed(ServerCall call, int actor, Supplier<UniserveException> why) {
    lock.lock();
    try {
      PartitionAttempts share = shares.get(actor);
      int values = share == null ? PartitionAttempts.NONE : share.giveUp(call);
      if (values == PartitionAttempts.NONE) {
        return;
      }
      UniserveException failure = why.get();
      valuesHeld -= values;
      call.settle();
      share.failedOn(call.server(), failure, nowNanos());
      if (!share.attempted() || callers(failure)) {
        failedWholly(share, failure);
      }
    } finally {
      lock.unlock();
    }
  }

  private void failedWholly(PartitionAttempts share, UniserveException failure) {
    if (!hopeless(share, failure)) {
      failed.add(share);
    } else if (partial && !wrong(failure)) {
      missed(share, String.valueOf(failure.getMessage()));
    } else {
      share.disown();
      fatal = named(share, failure);
    }
    wake.set();
  }

  /**
   * Returns whether a failed actor is not asked again. Another copy may do what one cannot do for a
   * reason of its own, such as damaged files (DPA §4.3).
   */
  private boolean hopeless(PartitionAttempts share, UniserveException failure) {
    return callers(failure)
        || share.triedEnough(client.settings(), nowNanos())
        || share.finalFailures() >= table.definition().replicas();
  }

  private long nowNanos() {
    return client.environment().clock().nanos();
  }

  private static boolean callers(UniserveException failure) {
    return failure.code().party() == ErrorCode.Party.CALLER;
  }

  /**
   * Returns whether a failure is one of the query itself, and so of every actor; a timeout is not.
   */
  private static boolean wrong(UniserveException failure) {
    return callers(failure) && !failure.retryable();
  }

  private UniserveException named(PartitionAttempts share, UniserveException failure) {
    return callers(failure)
        ? failure
        : new UniserveException(
            failure.code(),
            "actor " + share.actor() + " of " + describe() + ": " + failure.getMessage(),
            failure);
  }

  /** Notes that an actor will not answer, so that the answer is given without it. */
  void miss(PartitionAttempts share, String why) {
    lock.lock();
    try {
      missed(share, why);
    } finally {
      lock.unlock();
    }
  }

  /** Notes that no actor will answer any more. */
  void missAll(String why) {
    lock.lock();
    try {
      shares.values().stream()
          .filter(share -> !share.settled())
          .forEach(share -> missed(share, why + share.before()));
      failed.clear();
    } finally {
      lock.unlock();
    }
  }

  private void missed(PartitionAttempts share, String why) {
    share.disown();
    share.settle();
    missing.put(share.actor(), why);
    unanswered--;
    wake.set();
  }

  /** Notes that a call has ended, in whatever way. */
  @Override
  public void ended(ServerCall call) {
    lock.lock();
    try {
      underWay.remove(call);
    } finally {
      lock.unlock();
    }
    beginWaiting();
  }

  /** Cancels all calls under way. */
  void cancelAll() {
    List<ServerCall> calls;
    lock.lock();
    try {
      shares.values().forEach(PartitionAttempts::disown);
      waiting.clear();
      calls = List.copyOf(underWay);
    } finally {
      lock.unlock();
    }
    calls.forEach(ServerCall::cancel);
  }

  private String describe() {
    return "query of table '" + table.definition().name() + "'";
  }
}
