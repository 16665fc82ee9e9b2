package io.uniserve.runtime.server;

import io.uniserve.api.ActorId;
import io.uniserve.api.ErrorCode;
import io.uniserve.api.UniserveException;
import io.uniserve.kernel.Message;
import io.uniserve.kernel.Threads;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies that this server makes of actors that there are not yet, each on a thread of its own,
 * one at a time of each actor: whoever asked asks again until it is made. It is kept open until it
 * is taken or thrown away.
 */
final class Makings {
  private static final Logger LOG = LoggerFactory.getLogger(Makings.class);

  private final Threads threads;
  private final Map<ActorId, Making> making = new ConcurrentSkipListMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean closed;

  Makings(Threads threads) {
    this.threads = threads;
  }

  /** How a copy is made. */
  @FunctionalInterface
  interface Body {
    Replica make() throws IOException;
  }

  private static final class Making {
    private final Message request;
    private final AtomicReference<Replica> made = new AtomicReference<>();
    private volatile boolean ended;
    private volatile UniserveException failure;

    Making(Message request) {
      this.request = request;
    }

    void throwAway() {
      Replica copy = made.getAndSet(null);
      if (copy != null) {
        copy.close();
      }
    }
  }

  /**
   * Begins to make a copy, unless the same was asked for before.
   *
   * @return whether it is made
   * @throws UniserveException if it could not be, or what an earlier attempt makes is in its way
   */
  boolean make(ActorId id, Message request, Body body) {
    Making now = once(id, request, body);
    boolean ended = now.ended; // before the failure is looked at, which is set before it
    if (now.failure != null) {
      throw now.failure;
    }
    return ended;
  }

  /** Of two that ask for the same at once, the second finds what the first has begun. */
  private Making once(ActorId id, Message request, Body body) {
    lock.lock();
    try {
      Making known = making.get(id);
      if (known != null && known.request.equals(request)) {
        return known;
      }
      Making begun = begin(id, request, body, known);
      making.put(id, begun);
      return begun;
    } finally {
      lock.unlock();
    }
  }

  private Making begin(ActorId id, Message request, Body body, Making before) {
    if (before != null && !before.ended) {
      throw new UniserveException(
          ErrorCode.UNAVAILABLE, "what an earlier attempt makes is not thrown away yet");
    }
    if (before != null) {
      before.throwAway();
    }
    Making begun = new Making(request);
    threads.start("making of " + id, () -> run(id, begun, body));
    return begun;
  }

  private void run(ActorId id, Making now, Body body) {
    try {
      now.made.set(body.make());
      if (closed) {
        now.throwAway();
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("no copy of actor {} can be made", id, e);
      now.failure =
          e instanceof UniserveException known && known.retryable()
              ? known
              : new UniserveException(
                  ErrorCode.UNAVAILABLE, "no copy of actor " + id + " can be made: " + e, e);
    } finally {
      now.ended = true;
    }
  }

  /** Whether an attempt that came to nothing writes still where an actor's copy is to be. */
  boolean isMaking(ActorId id) {
    Making now = making.get(id);
    return now != null && !now.ended;
  }

  /** What was made, for whoever uses it from now on. */
  Optional<Replica> take(ActorId id) {
    Making now = making.get(id);
    Replica made = now != null && now.ended ? now.made.getAndSet(null) : null;
    if (made != null) {
      making.remove(id, now);
    }
    return Optional.ofNullable(made);
  }

  /** Throws away what is made, and whatever will be. */
  void close() {
    closed = true;
    making.values().forEach(Making::throwAway);
  }

  /** Hears of what need not be known any more. */
  @FunctionalInterface
  interface Ended {
    void ended(ActorId id, Message request);
  }

  /**
   * Forgets what has ended, but what was made and is wanted.
   *
   * @param over whether something need not be known any more
   */
  void forget(Predicate<Message> over, BiPredicate<ActorId, Message> wanted, Ended listener) {
    for (Map.Entry<ActorId, Making> made : List.copyOf(making.entrySet())) {
      ActorId id = made.getKey();
      Making now = made.getValue();
      boolean kept = now.made.get() != null && wanted.test(id, now.request);
      if (now.ended && over.test(now.request) && !kept && making.remove(id, now)) {
        now.throwAway();
        listener.ended(id, now.request);
      }
    }
  }
}
